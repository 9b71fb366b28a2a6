/**
 * The models of a company: a provider at an address of its own, which speaks a format that pi knows.
 *
 *   CORP_URL=http://localhost:8080 CORP_KEY=… pi -e custom-provider.ts --model corp/m1 -p hi
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.registerProvider("corp", {
		name: "Corp",
		// Without an address the registration is refused, and the program says so.
		baseUrl: process.env.CORP_URL,
		// The name of a variable; the key itself is in no file.
		apiKey: "$CORP_KEY",
		api: "anthropic-messages",
		models: [
			{
				id: "m1",
				name: "Corp One",
				reasoning: false,
				input: ["text"],
				cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
				contextWindow: 100_000,
				maxTokens: 8_000,
			},
		],
	});
}
