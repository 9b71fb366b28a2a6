/** The process of a sub-agent: started, listened to, ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Progress } from "./progress.ts";

/** What a sub-agent gets to end by itself, in milliseconds. */
const GRACE = 3_000;
/** How much of its complaints is passed on. */
const COMPLAINTS = 4_000;

export interface Task {
	task: string;
	/** Names of its tools; none for the usual ones. */
	tools: string[];
	model: string;
	cwd: string;
	env: Record<string, string | undefined>;
}

const running = new Set<ChildProcess>();

/** Ends all that run: their program goes away. */
export function endAll() {
	for (const child of running) child.kill("SIGTERM");
}

/** Runs a task to its end, or until the signal fires. Rejects when no answer comes of it. */
export function run(task: Task, signal: AbortSignal | undefined, onProgress: (progress: Progress) => void) {
	return new Promise<Progress>((resolve, reject) => {
		if (signal?.aborted) return reject(new Error("Operation aborted"));
		const [program, ...args] = command(task);
		const child = spawn(program, args, { cwd: task.cwd, env: task.env, stdio: ["ignore", "pipe", "pipe"] });
		running.add(child);
		const abort = () => end(child);
		signal?.addEventListener("abort", abort, { once: true });

		const progress = new Progress(task.task, task.model);
		let complaints = "";
		onText(child.stderr, (text) => {
			complaints = (complaints + text).slice(0, COMPLAINTS);
		});
		onLines(child.stdout, (line) => {
			if (progress.take(line)) onProgress(progress);
		});
		const done = (failure?: string) => {
			running.delete(child);
			signal?.removeEventListener("abort", abort);
			if (signal?.aborted) reject(new Error("Operation aborted"));
			else if (failure !== undefined) reject(new Error(failure));
			else resolve(progress);
		};
		child.on("error", (error) => done(`The sub-agent cannot start: ${error.message}`));
		child.on("close", (code, signalName) => {
			const ending = code === 0 ? undefined : complaints.trim() || (signalName ?? `exit status: ${code}`);
			done(progress.failure(ending));
		});
	});
}

/** This program with other arguments. */
function command(task: Task): string[] {
	// With words in front it is neither an option, nor a command, nor the name of a file.
	const args = ["--mode", "json", "-p", "--no-session", "--model", task.model];
	if (task.tools.length > 0) args.push("--tools", task.tools.join(","));
	args.push(`Your task: ${task.task}`);
	// pi is a program, or a script that something else runs.
	const isRuntime = /^(node|bun)(\.exe)?$/.test(basename(process.execPath));
	if (!isRuntime) return [process.execPath, ...args];
	const script = process.argv[1];
	return script && existsSync(script) ? [process.execPath, script, ...args] : ["pi", ...args];
}

/** Asks the process to end, so that it can end what it has started, and kills it when it does not. */
function end(child: ChildProcess) {
	child.kill("SIGTERM");
	const kill = setTimeout(() => child.kill("SIGKILL"), GRACE);
	child.on("close", () => clearTimeout(kill));
}

type Output = ChildProcess["stdout"];

function onText(output: Output, take: (text: string) => void) {
	// A character may come in two pieces.
	const decoder = new TextDecoder();
	output?.on("data", (data: Uint8Array) => take(decoder.decode(data, { stream: true })));
}

function onLines(output: Output, take: (line: string) => void) {
	let begun: string[] = [];
	onText(output, (text) => {
		const [first, ...more] = text.split("\n");
		begun.push(first);
		for (const next of more) {
			take(begun.join(""));
			begun = [next];
		}
	});
}
