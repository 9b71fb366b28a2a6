/**
 * Files that the model does not change: keys, what git keeps, what a package manager installed.
 *
 *   pi -e protected-paths.ts
 *
 * It watches the tools that change files, `write` and `edit`. A shell can change anything: together with
 * permission-gate.ts, or without the tool `bash`, this is a guard rail and still no sandbox.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** Names of directories in which nothing is changed. */
const DIRECTORIES = [".git", "node_modules"];
/** The file with keys; others begin with its name and a dot. */
const SECRETS = ".env";
/** Shows which keys there are, and holds none. */
const SAMPLE = ".env.example";

export default function (pi: ExtensionAPI) {
	pi.on("tool_call", (event, ctx) => {
		if (event.toolName !== "write" && event.toolName !== "edit") return;
		const path = String(event.input.path ?? "");
		if (!isProtected(ctx.cwd, path)) return;
		ctx.ui.notify(`Protected: ${event.toolName} of ${path} was blocked.`, "warning");
		return {
			block: true,
			reason: `${path} is protected and was not changed. If it has to change, tell the user what to do.`,
		};
	});
}

/** Whether a path, as the model wrote it, leads to something protected, by its names or through links. */
function isProtected(cwd: string, path: string): boolean {
	// The tools take a leading @ for the sign by which users name files.
	const asked = resolve(cwd, path.replace(/^@/, ""));
	return hasProtectedName(cwd, asked) || hasProtectedName(real(cwd), real(asked));
}

/** Where a path leads when links are followed; what does not exist yet has the names it was given. */
function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		const above = dirname(path);
		return above === path ? path : join(real(above), basename(path));
	}
}

/** Names above the working directory do not count: somebody may be at work inside of a package. */
function hasProtectedName(cwd: string, path: string): boolean {
	const inside = path === cwd || path.startsWith(cwd.endsWith(sep) ? cwd : cwd + sep);
	const names = (inside ? relative(cwd, path) : path).split(sep);
	// Some file systems do not tell upper from lower case.
	return names
		.map((name) => name.toLowerCase())
		.some((name) => DIRECTORIES.includes(name) || name === SECRETS || (name.startsWith(".env.") && name !== SAMPLE));
}
