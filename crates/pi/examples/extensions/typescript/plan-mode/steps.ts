/** A plan in the words of a model: its steps, and which of them are done. */

/** The numbered lines below the last heading `Plan:`; none when there is no such heading. */
export function stepsIn(text: string): string[] {
	const lines = text.split("\n");
	const heading = lines.findLastIndex((line) => /^[#*\s]*plan:?[*\s]*$/i.test(line));
	if (heading < 0) return [];
	return lines.slice(heading + 1).flatMap((line) => {
		const step = /^\s*\d+[.)]\s+(\S.*)$/.exec(line);
		return step ? [step[1].replaceAll("**", "").trim()] : [];
	});
}

/** The numbers in marks such as `[DONE:2]`, counted from 1. */
export function doneIn(text: string): number[] {
	return [...text.matchAll(/\[DONE:\s*(\d+)\]/gi)].map((mark) => Number(mark[1]));
}
