/**
 * Makes a plan before anything is done: while pi plans it can look at everything and change nothing; then the user decides
 * what becomes of the plan; then its steps are ticked off one after the other.
 *
 *   pi -e plan-mode/index.ts --plan
 *
 * `/plan` begins and ends planning, `/todos` shows the steps. Which tools only look is a list of names, and so it is for
 * commands of the shell: this keeps a model that means well from beginning too early, and is no sandbox.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { onlyLooks } from "./shell.ts";
import { Plan } from "./state.ts";
import { doneIn, stepsIn } from "./steps.ts";
import * as words from "./words.ts";

/** Type of our entries and messages. */
const TYPE = "plan-mode";
/** Tools that change something. */
const CHANGES = ["edit", "write"];

export default function (pi: ExtensionAPI) {
	let plan = new Plan();

	pi.registerFlag("plan", { type: "boolean", description: "Make a plan before anything is changed" });

	function show(ctx: ExtensionContext) {
		ctx.ui.setStatus(TYPE, plan.status());
		ctx.ui.setWidget(TYPE, plan.phase === "doing" ? plan.toString().split("\n") : undefined);
	}

	/** Stores the plan and shows it. */
	function write(ctx: ExtensionContext) {
		pi.appendEntry(TYPE, plan.data());
		show(ctx);
	}

	/** Switches off what planning does not need, and on again what it has switched off. */
	function chooseTools() {
		const active = pi.getActiveTools();
		const off = new Set([...plan.hidden, ...active.filter((name) => CHANGES.includes(name))]);
		const looking = active.filter((name) => !CHANGES.includes(name));
		plan.hidden = plan.phase === "planning" ? [...off].sort() : [];
		pi.setActiveTools(plan.phase === "planning" ? looking : [...looking, ...off]);
	}

	function enter(phase: Plan["phase"], ctx: ExtensionContext) {
		plan.phase = phase;
		chooseTools();
		write(ctx);
	}

	/** Takes the newest plan of the branch; whether there is one. */
	function read(ctx: ExtensionContext): boolean {
		const entries = ctx.sessionManager.getBranch().reverse();
		const entry = entries.find((entry) => entry.type === "custom" && entry.customType === TYPE);
		// What was switched off on another branch is still off.
		const hidden = plan.hidden;
		plan = new Plan(entry?.type === "custom" ? entry.data : undefined);
		plan.hidden.push(...hidden);
		chooseTools();
		show(ctx);
		return entry !== undefined;
	}

	// For a conversation without a plan the command line decides.
	pi.on("session_start", (_event, ctx) => {
		if (!read(ctx) && pi.getFlag("plan") === true) enter("planning", ctx);
	});
	pi.on("session_tree", (_event, ctx) => {
		read(ctx);
	});

	pi.registerCommand("plan", {
		description: "Begin or end planning",
		handler: async (_args, ctx) => {
			const ends = plan.phase === "planning";
			plan.steps = [];
			enter(ends ? "off" : "planning", ctx);
			ctx.ui.notify(ends ? words.OFF : words.ON, "info");
		},
	});
	pi.registerCommand("todos", {
		description: "Show the steps of the plan",
		handler: async (_args, ctx) => ctx.ui.notify(plan.toString(), "info"),
	});

	// What the model is told with a prompt. It is not shown: the user knows.
	pi.on("before_agent_start", (event) => {
		const content = words.instructions(plan);
		// A prompt that begins like this says it itself: whether it waits for its turn or begins a run, it has to be complete.
		if (content === undefined || event.prompt.startsWith(words.BEGIN)) return;
		return { message: { customType: TYPE, content, display: false, details: { phase: plan.phase } } };
	});

	// Only the newest instructions count, and only in their phase: a model that reads that it must not change anything would
	// not.
	pi.on("context", (event) => {
		const phases = event.messages.map((message) =>
			message.role === "custom" && message.customType === TYPE
				? (message.details as { phase?: string } | undefined)?.phase
				: undefined,
		);
		const newest = phases.findLastIndex((phase) => phase !== undefined);
		const isKept = (index: number) => index === newest && phases[index] === plan.phase;
		return { messages: event.messages.filter((_, index) => phases[index] === undefined || isKept(index)) };
	});

	// The tools are switched off already; this is for what another extension switches on, and for the shell.
	pi.on("tool_call", (event) => {
		if (plan.phase !== "planning") return;
		if (CHANGES.includes(event.toolName)) return { block: true, reason: words.NO_CHANGES };
		if (event.toolName !== "bash") return;
		const command = String(event.input.command ?? "");
		if (!onlyLooks(command)) return { block: true, reason: words.notALook(command) };
	});

	// The model says which steps it has done.
	pi.on("turn_end", (event, ctx) => {
		if (plan.phase === "doing" && plan.tickOff(doneIn(textOf(event.message)))) write(ctx);
	});

	pi.on("agent_end", async (event, ctx) => {
		if (plan.phase === "doing" && plan.isDone()) {
			enter("off", ctx);
			ctx.ui.notify(words.DONE, "info");
		}
		if (plan.phase !== "planning" || !ctx.hasUI) return;
		const answer = event.messages.filter((message) => message.role === "assistant").pop();
		const steps = answer ? stepsIn(textOf(answer)) : [];
		if (steps.length === 0) return;
		plan.steps = steps.map((text) => ({ text, done: false }));
		write(ctx);
		await whatNext(ctx);
	});

	/** Asks what becomes of the plan. Whoever dismisses the question goes on planning. */
	async function whatNext(ctx: ExtensionContext) {
		const { CARRY_OUT, CHANGE, KEEP_PLANNING } = words;
		const answer = await ctx.ui.select("What shall become of the plan?", [CARRY_OUT, CHANGE, KEEP_PLANNING]);
		let prompt = "";
		if (answer === CARRY_OUT) {
			enter("doing", ctx);
			prompt = `${words.BEGIN}\n\n${words.doing(plan)}`;
		} else if (answer === CHANGE) {
			prompt = ((await ctx.ui.editor("What shall be different?")) ?? "").trim();
		}
		// The run that asked is not quite over.
		if (prompt) pi.sendUserMessage(prompt, { deliverAs: "followUp" });
	}
}

function textOf(message: { role: string; content?: unknown }): string {
	const blocks = message.role === "assistant" && Array.isArray(message.content) ? message.content : [];
	return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
