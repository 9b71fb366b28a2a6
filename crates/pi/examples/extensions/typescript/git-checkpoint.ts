/**
 * Checkpoints: before every turn the files of the project are kept as a commit that no branch knows, and whoever forks
 * the conversation may have the files of that moment back.
 *
 *   pi -e git-checkpoint.ts
 *
 * A checkpoint has everything that git does not ignore, also files that were never added. Neither HEAD nor the index nor
 * a branch is touched: it is made with an index of its own, and a reference below `refs/pi/checkpoints/` protects it from
 * being collected (`git for-each-ref refs/pi/checkpoints` lists them, `git update-ref -d` lets go of one). Which commit
 * belongs where is written in the session, so forks and later runs find it.
 */
import { existsSync, unlinkSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

const ENTRY = "git-checkpoint";
const RESTORE = "Restore the files";
const KEEP = "Keep the files as they are";
const NO_REPOSITORY = "No checkpoints here: the directory is not in a git repository, or git is not installed.";
/** For one call of git, in milliseconds. The first checkpoint of a big project reads all of it. */
const PATIENCE = 120_000;

/** What an entry of the session says. */
interface Checkpoint {
	commit: string;
	tree: string;
}

export default function (pi: ExtensionAPI) {
	/** Runs git, if told so beside the index of the user; what it prints. */
	async function git(index: string | undefined, ...args: string[]): Promise<string> {
		const setting = index === undefined ? [] : [`GIT_INDEX_FILE=${index}`];
		// The commit needs a name, and the user may have none yet.
		const names = ["-c", "user.name=pi", "-c", "user.email=pi@localhost"];
		const done = await pi.exec("env", [...setting, "git", ...names, ...args], { timeout: PATIENCE });
		if (done.killed) throw new Error(`git ${args[0]} took too long`);
		if (done.code !== 0) throw new Error(`git ${args[0]} failed: ${done.stderr.split("\n")[0] || "it said nothing"}`);
		return done.stdout.trim();
	}

	/** The index for this session alone, or undefined where there is no repository: one may come while the session goes on. */
	async function indexOf(ctx: ExtensionContext): Promise<string | undefined> {
		const session = ctx.sessionManager.getSessionId();
		const dir = await git(undefined, "rev-parse", "--absolute-git-dir").catch(() => undefined);
		return dir === undefined ? undefined : `${dir}/pi-checkpoint-${session}.index`;
	}

	/** A checkpoint of the files as they are; the one before if nothing has changed since. */
	async function checkpoint(index: string, before: Checkpoint | undefined): Promise<Checkpoint> {
		await git(index, "add", "--all", "--", ":/");
		const tree = await git(index, "write-tree");
		if (before?.tree === tree) return before;
		const commit = await git(index, "commit-tree", tree, "-m", "Checkpoint of pi");
		await git(index, "update-ref", `refs/pi/checkpoints/${commit}`, commit);
		return { commit, tree };
	}

	/** Asks whether the files shall be those of then. False when the user dismissed the question. */
	async function offer(index: string, then: Checkpoint, ctx: ExtensionContext): Promise<boolean> {
		const now = await checkpoint(index, then);
		if (now.tree === then.tree) return true;
		const answer = await ctx.ui.select("The files of the project have changed since that prompt.", [RESTORE, KEEP]);
		if (answer === RESTORE) {
			// Files that came since are removed; those that git ignores stay.
			await git(index, "read-tree", "--reset", "-u", then.commit);
			ctx.ui.notify(`The files are as they were. What they were before that is commit ${now.commit}.`, "info");
		}
		return answer !== undefined;
	}

	pi.on("session_start", async (_event, ctx) => {
		if ((await indexOf(ctx)) === undefined) ctx.ui.notify(NO_REPOSITORY, "warning");
	});

	// What goes wrong is told and holds up nothing.
	pi.on("turn_start", async (_event, ctx) => {
		const index = await indexOf(ctx);
		if (index === undefined) return;
		const leaf = ctx.sessionManager.getLeafId();
		const before = leaf ? lastCheckpoint(ctx, leaf) : undefined;
		try {
			const now = await checkpoint(index, before);
			if (now.tree !== before?.tree) pi.appendEntry(ENTRY, now);
		} catch (error) {
			ctx.ui.notify(`No checkpoint: ${text(error)}`, "warning");
		}
	});

	// A fork in front of a prompt goes back in the conversation; the files may go back, too.
	pi.on("session_before_fork", async (event, ctx) => {
		if (event.position !== "before" || !ctx.hasUI) return;
		const then = lastCheckpoint(ctx, event.entryId);
		const index = await indexOf(ctx);
		if (then === undefined || index === undefined) return;
		try {
			return (await offer(index, then, ctx)) ? undefined : { cancel: true };
		} catch (error) {
			// Half of the way back would be worse than none.
			ctx.ui.notify(`The files were not restored: ${text(error)}`, "error");
			return { cancel: true };
		}
	});

	pi.on("session_shutdown", async (_event, ctx) => {
		const index = await indexOf(ctx);
		// It was never made if there was no turn.
		if (index !== undefined && existsSync(index)) unlinkSync(index);
	});
}

/** The newest checkpoint from this entry up: the files as they were when the entry came. */
function lastCheckpoint(ctx: ExtensionContext, from: string): Checkpoint | undefined {
	for (const entry of ctx.sessionManager.getBranch(from).reverse()) {
		if (entry.type === "custom" && entry.customType === ENTRY) return entry.data as Checkpoint;
	}
	return undefined;
}

function text(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
