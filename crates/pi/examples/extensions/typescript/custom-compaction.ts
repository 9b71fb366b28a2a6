/**
 * Summaries of one's own: with a model that costs less than the one at work, or, if none is named, with an outline that
 * needs no model at all.
 *
 *   pi -e custom-compaction.ts --summary-model openai/gpt-5-mini
 *
 * Whatever goes wrong here leaves the summary to pi: a session that cannot be compacted could not go on.
 */
import { complete } from "@earendil-works/pi-ai";
import {
	convertToLlm,
	type ExtensionAPI,
	type ExtensionContext,
	type SessionBeforeCompactEvent,
	serializeConversation,
} from "@earendil-works/pi-coding-agent";

const FLAG = "summary-model";
/** Longest summary, in tokens. */
const MAX_TOKENS = 4_000;
/** Requests in an outline are cut to this many characters. */
const LINE = 200;

type Preparation = SessionBeforeCompactEvent["preparation"];
type Messages = ReturnType<typeof convertToLlm>;

export default function (pi: ExtensionAPI) {
	pi.registerFlag(FLAG, {
		type: "string",
		description: "Model that summarises, as provider/id; without it an outline is made",
	});

	pi.on("session_before_compact", async (event, ctx) => {
		const { preparation, signal } = event;
		// What is about to be forgotten, with the beginning of a turn that is cut through.
		const messages = convertToLlm([...preparation.messagesToSummarize, ...preparation.turnPrefixMessages]);
		const name = pi.getFlag(FLAG);
		try {
			const summary = typeof name === "string" ? await askModel(name, messages, event, ctx) : outline(messages);
			return { compaction: compaction(preparation, summary) };
		} catch (error) {
			// An abort is no failure, and there is nothing left to say.
			if (signal.aborted) return;
			const problem = error instanceof Error ? error.message : String(error);
			ctx.ui.notify(`The usual summary is made instead: ${problem}`, "warning");
		}
	});
}

/** The summary with what came before it and the files that it is about. */
function compaction(preparation: Preparation, summary: string) {
	const { read, written, edited } = preparation.fileOps;
	const modifiedFiles = [...new Set([...written, ...edited])].sort();
	const readFiles = [...read].filter((file) => !modifiedFiles.includes(file)).sort();
	const list = (title: string, files: string[]) => (files.length > 0 ? `\n\n## ${title}\n${files.join("\n")}` : "");
	const earlier = preparation.previousSummary ? `${preparation.previousSummary}\n\n---\n\n` : "";
	const files = list("Files that were read", readFiles) + list("Files that were changed", modifiedFiles);
	return {
		summary: earlier + summary + files,
		// What stays is the choice of pi; without it nothing would fit.
		firstKeptEntryId: preparation.firstKeptEntryId,
		tokensBefore: preparation.tokensBefore,
		// Where pi looks for the files when this is compacted in turn.
		details: { readFiles, modifiedFiles },
	};
}

/** What the user asked for, and the last that was said. */
function outline(messages: Messages): string {
	const asked: string[] = [];
	let last = "Nothing yet.";
	for (const message of messages) {
		const text = textOf(message.content);
		if (message.role === "user" && text) asked.push(`- ${cut(text.split("\n")[0])}`);
		if (message.role === "assistant" && text) last = text;
	}
	return `## What the user asked for\n${asked.join("\n")}\n\n## What was said last\n${last}`;
}

function cut(line: string): string {
	const characters = [...line.trimEnd()];
	return characters.length > LINE ? `${characters.slice(0, LINE).join("")}…` : characters.join("");
}

function textOf(content: string | { type: string; text?: string }[]): string {
	if (typeof content === "string") return content.trim();
	const texts = content.filter((block) => block.type === "text").map((block) => block.text ?? "");
	return texts.join("\n").trim();
}

async function askModel(
	name: string,
	messages: Messages,
	event: SessionBeforeCompactEvent,
	ctx: ExtensionContext,
): Promise<string> {
	const slash = name.indexOf("/");
	const model = slash > 0 ? ctx.modelRegistry.find(name.slice(0, slash), name.slice(slash + 1)) : undefined;
	if (!model) throw new Error(`--${FLAG} names no model: "${name}"`);
	const auth = await ctx.modelRegistry.getApiKeyAndHeaders(model);
	if (!auth.ok) throw new Error(auth.error);
	const question = { role: "user" as const, content: request(messages, event.customInstructions), timestamp: Date.now() };
	const answer = await complete(
		model,
		{ messages: [question] },
		{ apiKey: auth.apiKey, headers: auth.headers, maxTokens: MAX_TOKENS, signal: event.signal },
	);
	if (answer.stopReason === "error" || answer.stopReason === "aborted") {
		throw new Error(answer.errorMessage ?? `${name} failed`);
	}
	const text = textOf(answer.content);
	if (!text) throw new Error(`${name} said nothing`);
	return text;
}

function request(messages: Messages, customInstructions: string | undefined): string {
	const wish = customInstructions ? `\n\nThe user wants you to heed this: ${customInstructions}` : "";
	return (
		"Below is the older part of a conversation between a user and a coding agent, which is about to be removed. Write " +
		"what the agent has to know to go on without it: the goal, what was decided and why, what is done, what is open, " +
		`what comes next. Short paragraphs under headings; no greeting.${wish}\n\n<conversation>\n` +
		`${serializeConversation(messages)}\n</conversation>`
	);
}
