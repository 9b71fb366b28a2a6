// What `pi-tui` has since 0.80.
import { Container } from "pi:tui/basic";
import { getCapabilities, setCapabilities } from "pi:tui/image";

export class VStack extends Container {}
// There is no screen of which only a part is shown.
export const isViewportTUI = () => false;
export const setCapabilityOverrides = (overrides) => setCapabilities({ ...getCapabilities(), ...overrides });
// A text without what only terminals understand: colours, cursor movements, titles, links.
export const stripTerminalSequences = (text) =>
  text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g, "");
