//! What the examination found, for people and for programs. Nothing is looked at here.

use serde::Serialize;

use crate::cli::console::screen::{Screen, Style, plain};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum Level {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Needs attention.
    Attention,
}

/// One finding.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Finding {
    pub(in crate::cli) level: Level,
    /// What it is about.
    pub(in crate::cli) subject: String,
    /// What was found.
    pub(in crate::cli) detail: String,
    /// The way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) remedy: Option<String>,
}

/// Findings of one kind.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Section {
    pub(super) name: &'static str,
    pub(in crate::cli) findings: Vec<Finding>,
}

impl Section {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, findings: Vec::new() }
    }

    pub(super) fn ok(&mut self, subject: impl Into<String>, detail: impl Into<String>) {
        self.add(Level::Ok, subject, detail, None);
    }

    pub(super) fn note(&mut self, subject: impl Into<String>, detail: impl Into<String>) {
        self.add(Level::Note, subject, detail, None);
    }

    /// With the way out.
    pub(super) fn attention(&mut self, subject: impl Into<String>, detail: impl Into<String>, remedy: &str) {
        self.add(Level::Attention, subject, detail, Some(remedy.to_owned()));
    }

    /// Something that says the way out itself.
    pub(super) fn complaint(&mut self, subject: impl Into<String>, detail: impl Into<String>) {
        self.add(Level::Attention, subject, detail, None);
    }

    pub(super) fn add(
        &mut self,
        level: Level,
        subject: impl Into<String>,
        detail: impl Into<String>,
        remedy: Option<String>,
    ) {
        self.findings.push(Finding { level, subject: subject.into(), detail: detail.into(), remedy });
    }
}

/// All of it.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) version: &'static str,
    /// How many findings need attention.
    pub(super) attention: usize,
    pub(super) sections: Vec<Section>,
}

impl Report {
    pub(super) fn new(sections: Vec<Section>) -> Self {
        let findings = sections.iter().flat_map(|section| &section.findings);
        let attention = findings.filter(|finding| finding.level == Level::Attention).count();
        Self { version: env!("CARGO_PKG_VERSION"), attention, sections }
    }

    pub(super) fn print(&self, screen: &mut Screen) -> std::io::Result<()> {
        if screen.json {
            return screen.json(self);
        }
        screen.line(&format!("pi {}", self.version))?;
        for section in self.sections.iter().filter(|section| !section.findings.is_empty()) {
            screen.line("")?;
            screen.line(&screen.paint(Style::Bold, section.name))?;
            for finding in &section.findings {
                finding.print(screen)?;
            }
        }
        let verdict = match self.attention {
            0 => screen.paint(Style::Green, "Nothing needs attention."),
            1 => screen.paint(Style::Yellow, "1 finding needs attention."),
            many => screen.paint(Style::Yellow, &format!("{many} findings need attention.")),
        };
        screen.line("")?;
        screen.line(&verdict)
    }
}

impl Finding {
    /// Whether nothing needs attention.
    pub(in crate::cli) fn is_fine(&self) -> bool {
        self.level != Level::Attention
    }

    pub(in crate::cli) fn print(&self, screen: &mut Screen) -> std::io::Result<()> {
        let mark = match self.level {
            Level::Ok => screen.paint(Style::Green, "ok"),
            Level::Note => screen.paint(Style::Dim, "--"),
            Level::Attention => screen.paint(Style::Yellow, "!!"),
        };
        let lines: Vec<&str> = self.detail.lines().filter(|line| !line.trim().is_empty()).collect();
        let detail = lines.join("\n       ");
        screen.line(&format!("  {mark} {}: {}", plain(&self.subject), plain(&detail)))?;
        match &self.remedy {
            Some(remedy) => screen.line(&format!("     -> {}", plain(remedy))),
            None => Ok(()),
        }
    }
}
