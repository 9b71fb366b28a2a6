/**
 * A list of things to do: a tool for the model, two commands for the user.
 *
 *   pi -e todo.ts
 *
 * The list is nowhere but in the session: every result of the tool carries the whole list in its details, and whoever goes
 * to another session, or to another branch of this one, finds the list that belongs there.
 */
import { StringEnum } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "typebox";

const TOOL = "todo";

interface Todo {
	id: number;
	text: string;
	done: boolean;
}

/** The list, as it is stored. */
interface Todos {
	todos: Todo[];
	lastId: number;
}

/** What the model may do with it. */
const Action = Type.Object({
	action: StringEnum(["list", "add", "toggle", "clear"] as const),
	text: Type.Optional(Type.String({ description: "What is to do, for add" })),
	id: Type.Optional(Type.Integer({ description: "Number of the item, for toggle" })),
});

export default function (pi: ExtensionAPI) {
	// This runs once per session, so every session has a list of its own.
	let list: Todos = { todos: [], lastId: 0 };

	/** Takes the list from the newest result of the tool on the current branch. */
	function rebuild(ctx: ExtensionContext) {
		list = { todos: [], lastId: 0 };
		for (const entry of ctx.sessionManager.getBranch()) {
			if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
			const { toolName, details } = entry.message;
			if (toolName === TOOL && Array.isArray(details?.todos)) list = structuredClone(details);
		}
	}

	pi.on("session_start", (_event, ctx) => rebuild(ctx));
	pi.on("session_tree", (_event, ctx) => rebuild(ctx));

	pi.registerTool({
		name: TOOL,
		label: TOOL,
		description:
			"A list of things to do. list: show it; add: a new item (text); toggle: done or not done (id); clear: empty it.",
		promptSnippet: "Keep a list of what is to do",
		promptGuidelines: ["Use todo for work of more than two steps, and toggle an item as soon as it is done"],
		parameters: Action,
		// One call after the other: two that run at the same time would store each other's half of the list.
		executionMode: "sequential",
		// A call that fails has no details: the list before it stays the newest.
		async execute(_id, action) {
			act(list, action);
			return { content: [{ type: "text", text: shown(list) }], details: structuredClone(list) };
		},
	});

	pi.registerCommand("todos", {
		description: "Show what is to do",
		handler: async (_args, ctx) => ctx.ui.notify(shown(list), "info"),
	});

	pi.registerCommand("next", {
		description: "Let the model do the next thing",
		handler: async () => {
			const next = list.todos.find((todo) => !todo.done);
			// The command is over at once, the run goes on in the background.
			pi.sendUserMessage(`Do the next thing now: ${next ? line(next) : "whatever you think of first"}`);
		},
	});
}

function act(list: Todos, { action, text, id }: Static<typeof Action>) {
	if (action === "add") {
		if (text === undefined) throw new Error("todo: missing field `text`");
		list.lastId += 1;
		list.todos.push({ id: list.lastId, text, done: false });
	} else if (action === "toggle") {
		if (id === undefined) throw new Error("todo: missing field `id`");
		const todo = list.todos.find((todo) => todo.id === id);
		if (!todo) throw new Error(`There is no item ${id}. Use list.`);
		todo.done = !todo.done;
	} else if (action === "clear") {
		list.todos = [];
	}
}

function shown({ todos }: Todos): string {
	return todos.length > 0 ? todos.map(line).join("\n") : "Nothing to do.";
}

function line({ id, text, done }: Todo): string {
	return `[${done ? "x" : " "}] #${id} ${text}`;
}
