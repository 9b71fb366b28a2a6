// What extensions import as `pi-coding-agent`.
import { absent, absentClass, lazy } from "pi:bridge/lazy";

export * from "pi:coding-agent/facts";
export * from "pi:coding-agent/tools";
export * from "pi:coding-agent/texts";
export * from "pi:coding-agent/sessions";
export * from "pi:coding-agent/compaction";
export * from "pi:coding-agent/ui";
export * from "pi:coding-agent/clipboard";
export { ModelRegistry } from "pi:bridge/models";

// --- settings, credentials, trust, images, the command line: loaded when used
export const AuthStorage = lazy("pi:coding-agent/auth", "AuthStorage");
export const FileAuthStorageBackend = lazy("pi:coding-agent/auth", "FileAuthStorageBackend");
export const InMemoryAuthStorageBackend = lazy("pi:coding-agent/auth", "InMemoryAuthStorageBackend");
export const ProjectTrustStore = lazy("pi:coding-agent/trust", "ProjectTrustStore");
export const SettingsManager = lazy("pi:coding-agent/settings", "SettingsManager");
export const convertToPng = lazy("pi:coding-agent/images", "convertToPng");
export const hasTrustRequiringProjectResources = lazy("pi:coding-agent/trust", "hasTrustRequiringProjectResources");
export const parseArgs = lazy("pi:coding-agent/cli", "parseArgs");
export const resizeImage = lazy("pi:coding-agent/images", "resizeImage");

// --- components: loaded, with all of `pi-tui`, when one is used
const component = (name) => lazy("pi:coding-agent/components", name);
export const AssistantMessageComponent = component("AssistantMessageComponent");
export const BorderedLoader = component("BorderedLoader");
export const BranchSummaryMessageComponent = component("BranchSummaryMessageComponent");
export const CompactionSummaryMessageComponent = component("CompactionSummaryMessageComponent");
export const CustomEditor = component("CustomEditor");
export const CustomMessageComponent = component("CustomMessageComponent");
export const DynamicBorder = component("DynamicBorder");
export const SkillInvocationMessageComponent = component("SkillInvocationMessageComponent");
export const UserMessageComponent = component("UserMessageComponent");

// --- sessions of one's own: loaded when one is made
const agent = (name) => lazy("pi:coding-agent/agent_session", name);
export const AgentSession = agent("AgentSession");
export const createAgentSession = agent("createAgentSession");
export const createExtensionRuntime = agent("createExtensionRuntime");
export const DefaultResourceLoader = lazy("pi:coding-agent/resource_loader", "DefaultResourceLoader");

// --- what runs the program itself, or draws its screen
export const AgentSessionRuntime = absentClass("AgentSessionRuntime");
export const ArminComponent = absentClass("ArminComponent");
export const BashExecutionComponent = absentClass("BashExecutionComponent");
export const DefaultPackageManager = absentClass("DefaultPackageManager");
export const ExtensionEditorComponent = absentClass("ExtensionEditorComponent");
export const ExtensionInputComponent = absentClass("ExtensionInputComponent");
export const ExtensionRunner = absentClass("ExtensionRunner");
export const ExtensionSelectorComponent = absentClass("ExtensionSelectorComponent");
export const FooterComponent = absentClass("FooterComponent");
export const InteractiveMode = absentClass("InteractiveMode");
export const LoginDialogComponent = absentClass("LoginDialogComponent");
export const ModelSelectorComponent = absentClass("ModelSelectorComponent");
export const OAuthSelectorComponent = absentClass("OAuthSelectorComponent");
export const RpcClient = absentClass("RpcClient");
export const SessionSelectorComponent = absentClass("SessionSelectorComponent");
export const SettingsSelectorComponent = absentClass("SettingsSelectorComponent");
export const ShowImagesSelectorComponent = absentClass("ShowImagesSelectorComponent");
export const ThemeSelectorComponent = absentClass("ThemeSelectorComponent");
export const ThinkingSelectorComponent = absentClass("ThinkingSelectorComponent");
export const ToolExecutionComponent = absentClass("ToolExecutionComponent");
export const TreeSelectorComponent = absentClass("TreeSelectorComponent");
export const UserMessageSelectorComponent = absentClass("UserMessageSelectorComponent");
export const createAgentSessionFromServices = absent("createAgentSessionFromServices");
export const createAgentSessionRuntime = absent("createAgentSessionRuntime");
export const createAgentSessionServices = absent("createAgentSessionServices");
export const discoverAndLoadExtensions = absent("discoverAndLoadExtensions");
export const main = absent("main");
export const runPrintMode = absent("runPrintMode");
export const runRpcMode = absent("runRpcMode");
