/**
 * A tool by which the model hands a task to another pi: a process of its own with a conversation of its own, of which only
 * the answer comes back.
 *
 *   pi -e subagent/index.ts
 *
 * Several calls in one answer run at the same time. What the other one does is reported while it works; when the run is
 * aborted, or the program ends, it ends too. A sub-agent has no sub-agents.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { endAll, run } from "./child.ts";

/** Set in sub-agents. */
const MARK = "PI_SUBAGENT";

export default function (pi: ExtensionAPI) {
	if (process.env[MARK] !== undefined) return;

	pi.registerTool({
		name: "subagent",
		label: "subagent",
		description:
			"Hands a task to another agent, which works in the same directory, knows nothing of this conversation, and can " +
			"ask nobody. Returns its last answer. Say in the task all that it has to know and what it shall report.",
		promptSnippet: "Hand a task to another agent that starts from nothing and reports back",
		promptGuidelines: ["Use subagent for work whose details you do not need, such as searching a big code base"],
		parameters: Type.Object({
			task: Type.String({ description: "What is to be done" }),
			tools: Type.Optional(
				Type.Array(Type.String(), {
					description: "Names of the tools that it gets, such as read, grep, find, ls; by default the usual ones",
				}),
			),
		}),
		async execute(_id, { task, tools }, signal, onUpdate, ctx) {
			if (!task.trim()) throw new Error("The task is empty. Say what the sub-agent shall do.");
			if (!ctx.model) throw new Error("There is no model for the sub-agent.");
			const model = `${ctx.model.provider}/${ctx.model.id}`;
			const env = { ...process.env, [MARK]: "1" };
			const report = (text: string, details: unknown) => ({ content: [{ type: "text" as const, text }], details });
			const progress = await run({ task, tools: tools ?? [], model, cwd: ctx.cwd, env }, signal, (progress) =>
				onUpdate?.(report(progress.summary(), progress.details())),
			);
			return report(progress.answer(), progress.details());
		},
	});

	pi.on("session_shutdown", () => endAll());
}
