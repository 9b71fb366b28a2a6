/** What is known of a sub-agent, from the lines that it prints. Processes are elsewhere. */

/** The part of a line that counts. */
interface Line {
	type?: string;
	message?: {
		role: string;
		content: { type: string; text?: string; name?: string }[];
		stopReason?: string;
		errorMessage?: string;
		usage?: { input: number; output: number };
	};
}

export class Progress {
	private answers = 0;
	private readonly calls: string[] = [];
	private input = 0;
	private output = 0;
	private text = "";
	private error: string | undefined;

	constructor(
		private readonly task: string,
		private readonly model: string,
	) {}

	/** Takes a line; whether it changed anything that is worth a report. */
	take(line: string): boolean {
		const { type, message } = parsed(line);
		if (type !== "message_end" || message?.role !== "assistant") return false;
		this.answers += 1;
		this.input += message.usage?.input ?? 0;
		this.output += message.usage?.output ?? 0;
		for (const block of message.content) {
			if (block.type === "toolCall" && block.name) this.calls.push(block.name);
		}
		const texts = message.content.filter((block) => block.type === "text").map((block) => block.text ?? "");
		this.text = texts.join("\n").trim();
		// A later answer makes up for one that failed: it was asked again.
		const failed = message.stopReason === "error" || message.stopReason === "aborted";
		this.error = failed ? (message.errorMessage ?? "no reason was given") : undefined;
		return true;
	}

	/** How far it is, in a line. */
	summary(): string {
		if (this.calls.length === 0) return "The sub-agent is at work.";
		return `The sub-agent is at work: ${this.calls.join(", ")}`;
	}

	/** What programs see of it. */
	details() {
		const { task, model, answers, calls, input, output } = this;
		return { task, model, answers, calls: [...calls], input, output };
	}

	/** Why there is no answer, if so. `ending` tells how the process ended if that was not well. */
	failure(ending: string | undefined): string | undefined {
		if (this.error !== undefined) return `The sub-agent failed: ${this.error}`;
		if (ending !== undefined) return `The sub-agent ended too early: ${ending}`;
		return this.text ? undefined : "The sub-agent ended without an answer.";
	}

	answer(): string {
		return this.text;
	}
}

function parsed(line: string): Line {
	try {
		return JSON.parse(line) as Line;
	} catch {
		// A program of another kind may print other things in between.
		return {};
	}
}
