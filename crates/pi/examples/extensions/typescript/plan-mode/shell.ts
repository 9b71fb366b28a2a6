/** Which commands of the shell only look. What is not known to be harmless is not. */

/** Programs that change nothing, whatever their arguments are. */
const LOOKING =
	"cat cut date df diff du echo grep head ls nl ps pwd rg stat tail uname wc which whoami".split(" ");
/** Commands of git that change nothing. */
const GIT = "blame describe diff grep log ls-files show status".split(" ");
/** With these one command becomes several, or writes, or runs another one. */
const DANGEROUS = [">", "<(", "`", "$(", "--output", "--pre", "--hostname-bin", "--open-files", " -O"];

/** Whether a command line only looks. */
export function onlyLooks(line: string): boolean {
	// Splitting does not know quotes: what is quoted may be refused, and nothing else gets through.
	const commands = line.split(/[\n;|&]/).map((command) => command.trim());
	const present = commands.filter((command) => command !== "");
	return present.length > 0 && !DANGEROUS.some((sign) => line.includes(sign)) && present.every(isKnown);
}

function isKnown(command: string): boolean {
	const [program, ...words] = command.split(/\s+/);
	if (program === "git") return GIT.includes(words[0] ?? "");
	if (program === "find") return !words.some((word) => /^-(exec|ok|fprint)|^-delete$|^-fls$/.test(word));
	return LOOKING.includes(program);
}
