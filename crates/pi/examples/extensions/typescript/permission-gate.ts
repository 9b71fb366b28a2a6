/**
 * A gate: before the shell does something dangerous the user is asked, and without a user it is not done.
 *
 *   pi -e permission-gate.ts
 *
 * The gate is no sandbox: it recognises a few commands by how they are written, and a model that wants to get around it
 * can. It is here to show handlers that decide, questions to the user, and options of the command line.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const YES = "Run it";
const NO = "Block it";

/** What is asked about. */
const DANGEROUS = [
	/\brm\s+(-\w*[rf]|--recursive|--force)/,
	/\bsudo\b/,
	/\b(chmod|chown)\b.*\b777\b/,
	/\bgit\s+(push\s+.*--force|reset\s+--hard|clean\s+-\w*f)/,
	/\b(mkfs|dd)\b/,
];

export default function (pi: ExtensionAPI) {
	pi.registerFlag("gate-block", { type: "boolean", description: "Block dangerous commands without asking" });
	pi.registerFlag("gate-timeout", {
		type: "string",
		description: "Seconds after which a question counts as a no",
		default: "60",
	});

	/** In milliseconds. */
	function timeout(): number {
		const text = String(pi.getFlag("gate-timeout"));
		const seconds = text.trim() === "" ? Number.NaN : Number(text);
		if (!Number.isFinite(seconds) || seconds < 0) {
			throw new Error(`--gate-timeout takes a number of seconds, not "${text}"`);
		}
		return seconds * 1000;
	}

	// What the command line says is known from here on; a mistake in it is better told now than at the first question.
	pi.on("session_start", () => {
		timeout();
	});

	// Handlers of tool_call fail closed: whatever goes wrong in here blocks the call, too.
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash") return;
		const command = String(event.input.command ?? "");
		if (!DANGEROUS.some((pattern) => pattern.test(command))) return;
		if (pi.getFlag("gate-block") === true) {
			return { block: true, reason: "Dangerous commands are blocked in this run." };
		}
		if (!ctx.hasUI) {
			return { block: true, reason: "This command is dangerous, and there is nobody to ask. Find another way." };
		}
		// When the run is aborted there is nothing left to decide: the question closes with it.
		const dialog = { timeout: timeout(), signal: ctx.signal };
		const title = `The model wants to run a dangerous command:\n\n  ${command}`;
		const answer = await ctx.ui.select(title, [YES, NO], dialog);
		if (answer === YES) return;
		const reason =
			answer === undefined
				? "The user did not answer, so this command was not run."
				: "The user does not allow this command.";
		return { block: true, reason };
	});
}
