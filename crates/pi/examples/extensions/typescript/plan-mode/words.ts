/** What the model and the user read. */
import type { Plan } from "./state.ts";

export const ON = "Planning: nothing is changed until there is a plan that you like.";
export const OFF = "No planning any more: all tools are back.";
export const DONE = "The plan is carried out.";

export const CARRY_OUT = "Carry it out";
export const CHANGE = "Change it";
export const KEEP_PLANNING = "Keep planning";
export const BEGIN = "Carry out the plan now.";

export const PLANNING =
	"You are planning. Look at whatever you need, but change nothing: the tools that change files are switched off, and in " +
	"the shell only commands that look run. Ask what you have to know. When you know enough, end your answer with the " +
	'heading "Plan:" and the steps below it, one per line, numbered 1., 2., 3., each something that can be done and ' +
	"checked by itself.";
export const NO_CHANGES = "While you plan nothing is changed. Put it into the plan.";

/** Why a command does not run. */
export function notALook(command: string): string {
	return `While you plan only commands that look run, and this one may change something: ${command}`;
}

/** What is told in this phase. */
export function instructions(plan: Plan): string | undefined {
	if (plan.phase === "off") return undefined;
	return plan.phase === "planning" ? PLANNING : doing(plan);
}

/** What is told while the plan is carried out. */
export function doing(plan: Plan): string {
	return (
		`You are carrying out a plan that the user has agreed to:\n${plan}\nTake the open steps in their order. When you ` +
		"have done one, say so with its number, like this: [DONE:1]"
	);
}
