//! What has a colour of its own.

/// Declares the tokens with the names that theme files use.
macro_rules! tokens {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// Something that a theme gives a colour.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Token {
            $(#[doc = $meaning] $variant,)*
        }

        impl Token {
            /// All of them, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in theme files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

tokens! {
    Accent "accent" "What matters.",
    Border "border" "Frames.",
    BorderAccent "borderAccent" "Frames of what has the focus.",
    BorderMuted "borderMuted" "Frames that stay in the background.",
    Success "success" "What went well.",
    Error "error" "What failed.",
    Warning "warning" "What needs attention.",
    Muted "muted" "Secondary text.",
    Dim "dim" "Text that hardly matters.",
    Text "text" "Ordinary text.",
    ThinkingText "thinkingText" "What a model thought.",
    SelectedBg "selectedBg" "Background of the selected line.",
    UserMessageBg "userMessageBg" "Background of what the user said.",
    UserMessageText "userMessageText" "What the user said.",
    CustomMessageBg "customMessageBg" "Background of an extension's message.",
    CustomMessageText "customMessageText" "An extension's message.",
    CustomMessageLabel "customMessageLabel" "The label of an extension's message.",
    ToolPendingBg "toolPendingBg" "Background of a tool call that runs.",
    ToolSuccessBg "toolSuccessBg" "Background of a tool call that went well.",
    ToolErrorBg "toolErrorBg" "Background of a tool call that failed.",
    ToolTitle "toolTitle" "The head of a tool call.",
    ToolOutput "toolOutput" "What a tool said.",
    MdHeading "mdHeading" "Headings.",
    MdLink "mdLink" "Texts of links.",
    MdLinkUrl "mdLinkUrl" "Addresses of links.",
    MdCode "mdCode" "Code in a line.",
    MdCodeBlock "mdCodeBlock" "Blocks of code.",
    MdCodeBlockBorder "mdCodeBlockBorder" "Fences of blocks of code.",
    MdQuote "mdQuote" "Quotations.",
    MdQuoteBorder "mdQuoteBorder" "The bar beside a quotation.",
    MdHr "mdHr" "Rules.",
    MdListBullet "mdListBullet" "Bullets.",
    ToolDiffAdded "toolDiffAdded" "Added lines.",
    ToolDiffRemoved "toolDiffRemoved" "Removed lines.",
    ToolDiffContext "toolDiffContext" "Lines that stayed.",
    SyntaxComment "syntaxComment" "Comments.",
    SyntaxKeyword "syntaxKeyword" "Keywords.",
    SyntaxFunction "syntaxFunction" "Functions.",
    SyntaxVariable "syntaxVariable" "Variables.",
    SyntaxString "syntaxString" "Strings.",
    SyntaxNumber "syntaxNumber" "Numbers.",
    SyntaxType "syntaxType" "Types.",
    SyntaxOperator "syntaxOperator" "Operators.",
    SyntaxPunctuation "syntaxPunctuation" "Punctuation.",
    ThinkingOff "thinkingOff" "The editor's frame without thinking.",
    ThinkingMinimal "thinkingMinimal" "The editor's frame at this level.",
    ThinkingLow "thinkingLow" "The editor's frame at this level.",
    ThinkingMedium "thinkingMedium" "The editor's frame at this level.",
    ThinkingHigh "thinkingHigh" "The editor's frame at this level.",
    ThinkingXhigh "thinkingXhigh" "The editor's frame at this level.",
    ThinkingMax "thinkingMax" "The editor's frame at this level; without a colour of its own that of `thinkingXhigh`.",
    BashMode "bashMode" "The editor's frame while it takes a shell command.",
}

impl Token {
    /// The token of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|token| token.name() == name)
    }

    /// The token whose colour it has in a theme that gives it none: themes of before it was there are complete.
    pub(super) fn fallback(self) -> Option<Self> {
        (self == Self::ThinkingMax).then_some(Self::ThinkingXhigh)
    }

    /// Whether it colours what is behind the text.
    pub fn is_background(self) -> bool {
        self.name().ends_with("Bg")
    }
}
