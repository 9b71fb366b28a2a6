//! The kinds of findings: how bad each is, what it means for the session, what a repair does about it.

use super::finding::Severity;

macro_rules! kinds {
    ($($kind:ident $severity:ident $code:literal $meaning:literal $remedy:literal;)*) => {
        /// What a finding is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FindingKind {
            $(#[doc = $meaning] $kind,)*
        }

        impl FindingKind {
            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Self::$kind => Severity::$severity,)* }
            }

            /// A name for programs; it does not change.
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }

            /// What it means for the session.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning,)* }
            }

            /// What a repair does about it.
            pub fn remedy(self) -> &'static str {
                match self { $(Self::$kind => $remedy,)* }
            }
        }
    };
}

kinds! {
    NoHeader Error "no-header" "Without a header on its first line the file is opened for reading only, or not at all."
        "The header is moved to the front, or made anew from what is known.";
    WrongVersion Error "wrong-version"
        "The header names an older version than the entries are of: some programs would link them anew, and all branches would become one."
        "The header gets the current version.";
    OldVersion Info "old-version" "Opening the session rewrites it in the current version."
        "The new file is of the current version.";
    NewVersion Warning "new-version" "A newer program wrote this; it is read as if it were of the current version."
        "It stays as it is.";
    ByteOrderMark Warning "byte-order-mark" "An editor put an invisible mark in front of the first line."
        "It is left out.";
    NulBytes Error "nul-bytes" "The file system lost what was to stand here, as after a power cut."
        "They are set aside.";
    DamagedLine Error "damaged-line" "What stood here is lost to the session; the lines around it are not."
        "It is set aside; whole entries on the line get lines of their own.";
    GluedEntries Error "glued-entries" "Some programs read neither of the entries."
        "Each gets a line of its own.";
    TornTail Error "torn-tail" "The writer was stopped in the middle of its last entry. Opening the session moves it away."
        "It is set aside.";
    NoFinalNewline Warning "no-final-newline" "A careless writer would glue its next entry to the last one."
        "The newline is added.";
    StillWritten Info "still-written" "The file grew meanwhile: somebody has the session open."
        "Only what was there at the beginning is looked at.";
    InvalidUtf8 Error "invalid-utf8" "Some characters cannot be read; they are shown as \u{fffd}."
        "They become \u{fffd}; the bytes as they were are set aside.";
    LoneSurrogate Info "lone-surrogate" "Half of a character, which a program cut apart; it is shown as \u{fffd}."
        "It stays as it is.";
    SecondHeader Warning "second-header" "It is ignored. Two files may have been put together."
        "It is set aside.";
    NoType Error "no-type" "The entry is skipped."
        "It becomes a message if it holds one, and is set aside if not.";
    NoId Error "no-id" "The entry is skipped."
        "It gets a new id.";
    NoTimestamp Error "no-timestamp" "Some programs cannot sort or show the entry."
        "It gets the time of the entry before it.";
    BadTimestamp Warning "bad-timestamp" "The entry cannot be sorted by time."
        "It stays as it is.";
    TimeBackwards Info "time-backwards" "The entry is older than the one before it: a clock was set back, or files were put together."
        "It stays as it is.";
    NoParent Error "no-parent" "The entry does not say what it follows, so the history before it is not in the context."
        "It is attached to the entry before it.";
    Orphan Error "orphan" "The entry that this one follows is not in the file, so the history before it is not in the context."
        "It is attached to the entry before the damage.";
    SelfParent Error "self-parent" "The entry follows itself, so the history before it is not in the context."
        "It is attached to the entry before it.";
    Cycle Error "cycle" "Entries follow each other in a ring that begins nowhere."
        "The ring is opened at its first entry.";
    ParentLater Warning "parent-later" "The entry follows one that stands behind it, which no program writes."
        "It stays as it is.";
    DuplicateId Error "duplicate-id" "Two different entries have one id; only the last is found."
        "The later one gets a new id, and what follows it follows the new id.";
    ExactCopy Error "exact-copy" "The entry stands in the file twice."
        "The copy is set aside.";
    KeptEntryMissing Warning "kept-entry-missing" "The messages that the compaction meant to keep are not in the context, only its summary is."
        "It keeps from the next entry on, where the damage tells which that is; else it stays as it is.";
    LabelTargetMissing Warning "label-target-missing" "The label is on an entry that does not exist."
        "It stays as it is.";
    CallWithoutResult Warning "call-without-result" "The run was interrupted, or the result is lost. The model is told that there is none."
        "It stays as it is.";
    ResultWithoutCall Warning "result-without-call" "No open tool call on the current branch has this result; providers may refuse it."
        "It stays as it is.";
    OddShape Warning "odd-shape" "The entry is of a known type but lacks what this version needs to read it."
        "It stays as it is.";
    UnknownType Info "unknown-type" "This version does not know the type and keeps the entry as it is."
        "It stays as it is.";
    UnknownRole Info "unknown-role" "This version does not know the role and keeps the message as it is."
        "It stays as it is.";
    TornFile Info "torn-file" "The end of the session as an earlier crash left it, set aside when it was opened."
        "It stays where it is.";
}
