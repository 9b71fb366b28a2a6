/** Where the planning stands. */

export interface Step {
	text: string;
	done: boolean;
}

/** What is stored. */
export interface PlanData {
	phase: "off" | "planning" | "doing";
	steps: Step[];
	hidden: string[];
}

export class Plan {
	phase: PlanData["phase"] = "off";
	steps: Step[] = [];
	/** Tools that planning has switched off. */
	hidden: string[] = [];

	constructor(stored?: unknown) {
		// An entry of another shape says nothing.
		const data = (stored ?? {}) as Partial<PlanData>;
		if (data.phase && Array.isArray(data.steps) && Array.isArray(data.hidden)) {
			this.phase = data.phase;
			this.steps = data.steps.map((step) => ({ ...step }));
			this.hidden = [...data.hidden];
		}
	}

	data(): PlanData {
		return { phase: this.phase, steps: this.steps.map((step) => ({ ...step })), hidden: [...this.hidden] };
	}

	/** Ticks steps off, counted from 1. Whether that changed anything. */
	tickOff(numbers: number[]): boolean {
		const before = this.done();
		for (const number of numbers) {
			const step = this.steps[number - 1];
			if (step) step.done = true;
		}
		return this.done() > before;
	}

	isDone(): boolean {
		return this.done() === this.steps.length;
	}

	status(): string | undefined {
		if (this.phase === "off") return undefined;
		return this.phase === "planning" ? "planning" : `plan ${this.done()}/${this.steps.length}`;
	}

	toString(): string {
		if (this.steps.length === 0) return "There is no plan.";
		return this.steps.map(({ text, done }, index) => `[${done ? "x" : " "}] ${index + 1}. ${text}`).join("\n");
	}

	private done(): number {
		return this.steps.filter((step) => step.done).length;
	}
}
