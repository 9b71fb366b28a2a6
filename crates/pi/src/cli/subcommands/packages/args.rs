//! The arguments of the commands about packages as typed values, and what is said about wrong ones. These texts are those
//! that clients know; the exit code is 1.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser};

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::screen::plain;
use crate::cli::grammar::suggest::nearest;

/// What was said about the project.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct TrustArgs {
    /// Trust the project for this command
    #[arg(short = 'a', long, overrides_with = "no_approve")]
    approve: bool,
    /// Leave the project's own settings out (also: -na)
    #[arg(long, overrides_with = "approve")]
    no_approve: bool,
}

impl TrustArgs {
    /// The decision, if there is one.
    fn approval(self) -> Option<bool> {
        (self.approve || self.no_approve).then_some(self.approve)
    }
}

/// How packages are fetched.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct FetchArgs {
    /// Let programs of packages run while they are installed
    #[arg(long)]
    pub(super) allow_scripts: bool,
    /// No network access
    #[arg(long)]
    pub(super) offline: bool,
}

/// Installs a package and adds it to the settings.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  pi install npm:@scope/tools
  pi install npm:tools@1.2.3
  pi install git:github.com/user/repository@v1
  pi install git:git@github.com:user/repository
  pi install https://host/user/repository
  pi install ./directory")]
pub(super) struct InstallArgs {
    /// npm:name, git:host/path, an address, or a path
    pub(super) source: String,
    /// For this project only: in .pi/settings.json
    #[arg(short, long)]
    pub(super) local: bool,
    #[command(flatten)]
    pub(super) fetch: FetchArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Removes a package from the disk and from the settings (also: pi uninstall).
#[derive(Debug, Parser)]
pub(super) struct RemoveArgs {
    /// As in the settings, see pi list; version and reference do not count
    pub(super) source: String,
    /// From the project's settings
    #[arg(short, long)]
    pub(super) local: bool,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Lists the packages of the user's and the project's settings.
#[derive(Debug, Parser)]
pub(super) struct ListArgs {
    #[command(flatten)]
    trust: TrustArgs,
}

/// Updates packages.
#[derive(Debug, Parser)]
pub(super) struct UpdateArgs {
    /// The package; self or pi is this program
    pub(super) source: Option<String>,
    /// This program, which does not update itself
    #[arg(long = "self")]
    pub(super) itself: bool,
    /// All packages
    #[arg(long)]
    pub(super) extensions: bool,
    /// All packages and this program
    #[arg(long)]
    pub(super) all: bool,
    /// One package
    #[arg(long, value_name = "SOURCE")]
    pub(super) extension: Vec<String>,
    /// Without effect: this program does not update itself
    #[arg(long, hide = true)]
    force: bool,
    #[command(flatten)]
    pub(super) fetch: FetchArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Switches single resources of packages and directories off and on.
///
/// Without options: a list, and, on a terminal, the question for the number of what to switch.
#[derive(Debug, Parser)]
pub(super) struct ConfigArgs {
    /// Use this resource: a path of the list, relative or absolute
    #[arg(long, value_name = "PATH", conflicts_with = "disable")]
    pub(super) enable: Option<String>,
    /// Do not use this resource
    #[arg(long, value_name = "PATH")]
    pub(super) disable: Option<String>,
    #[command(flatten)]
    trust: TrustArgs,
}

/// The arguments of one command.
#[derive(Debug)]
pub(super) enum Arguments {
    Install(InstallArgs),
    Remove(RemoveArgs),
    Update(UpdateArgs),
    List(ListArgs),
    Config(ConfigArgs),
}

impl Arguments {
    /// What was said about the project.
    pub(super) fn trust(&self) -> Option<bool> {
        match self {
            Self::Install(InstallArgs { trust, .. })
            | Self::Remove(RemoveArgs { trust, .. })
            | Self::Update(UpdateArgs { trust, .. })
            | Self::List(ListArgs { trust })
            | Self::Config(ConfigArgs { trust, .. }) => trust.approval(),
        }
    }
}

/// The command of this name.
pub(in crate::cli) fn declared(name: &'static str) -> Command {
    table().into_iter().find(|command| command.get_name() == name).unwrap_or_else(|| Command::new(name))
}

/// The commands, for help, completions and manual pages.
pub(in crate::cli) fn table() -> [Command; 6] {
    [
        InstallArgs::command().name("install"),
        RemoveArgs::command().name("remove"),
        RemoveArgs::command().name("uninstall").hide(true),
        UpdateArgs::command().name("update"),
        ListArgs::command().name("list"),
        ConfigArgs::command().name("config"),
    ]
}

/// Reads the arguments of the command `name`; the exit code where there is nothing more to do.
pub(super) fn read(name: &str, argv: impl IntoIterator<Item = String>) -> Result<Arguments, u8> {
    let argv: Vec<String> = argv.into_iter().map(long_form).collect();
    Ok(match name {
        "install" => {
            let install: InstallArgs = parse(name, argv)?;
            named::<InstallArgs>(name, &install.source)?;
            Arguments::Install(install)
        }
        "remove" | "uninstall" => {
            let remove: RemoveArgs = parse("remove", argv)?;
            named::<RemoveArgs>("remove", &remove.source)?;
            Arguments::Remove(remove)
        }
        "update" => {
            let update: UpdateArgs = parse(name, argv)?;
            if let Some(conflict) = update.conflict() {
                return Err(refuse(conflict, &mut command::<UpdateArgs>(name)));
            }
            Arguments::Update(update)
        }
        "list" => Arguments::List(parse(name, argv)?),
        _ => Arguments::Config(parse(name, argv)?),
    })
}

/// Short forms of several letters are options of their own.
fn long_form(argument: String) -> String {
    if argument == "-na" { "--no-approve".to_owned() } else { argument }
}

fn command<T: CommandFactory>(name: &str) -> Command {
    T::command().bin_name(format!("pi {name}")).args_override_self(true).no_binary_name(true)
}

fn parse<T: CommandFactory + FromArgMatches>(name: &str, argv: Vec<String>) -> Result<T, u8> {
    let mut command = command::<T>(name);
    let parsed = command.try_get_matches_from_mut(argv).and_then(|matches| T::from_arg_matches(&matches));
    parsed.map_err(|error| explain(name, &error, &mut command))
}

fn explain(name: &str, error: &clap::Error, command: &mut Command) -> u8 {
    if error.kind() == ErrorKind::DisplayHelp {
        return print(&error.render().to_string());
    }
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.as_str(),
        _ => "",
    };
    // Clap names an option together with its value.
    let option = argument.split_whitespace().next().unwrap_or_default();
    let sentence = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            format!("Unknown option {argument} for \"{name}\".{}", meant(argument, command))
        }
        ErrorKind::UnknownArgument => format!("Unexpected argument {argument}."),
        ErrorKind::MissingRequiredArgument => format!("Missing {name} source."),
        ErrorKind::InvalidValue => format!("Missing value for {option}."),
        _ => {
            let text = error.render().to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
    };
    let code = refuse(&sentence, command);
    if sentence.starts_with("Unexpected") {
        complain(&format!("To send a message that begins with this word: pi -p \"{name} …\""));
    }
    code
}

/// What a wrong option was probably meant to be.
fn meant(argument: &str, command: &Command) -> String {
    let names = command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(clap::Arg::get_long);
    let name = argument.trim_start_matches('-').split('=').next().unwrap_or_default();
    nearest(name, names).map_or_else(String::new, |name| format!(" Did you mean --{name}?"))
}

/// An empty source is none.
fn named<T: CommandFactory>(name: &str, source: &str) -> Result<(), u8> {
    if source.trim().is_empty() {
        return Err(refuse(&format!("Missing {name} source."), &mut command::<T>(name)));
    }
    Ok(())
}

/// Says what is wrong, and what would be right.
fn refuse(sentence: &str, command: &mut Command) -> u8 {
    complain(&format!("{}\n{}", plain(sentence), command.render_usage()));
    1
}

impl UpdateArgs {
    /// What cannot be asked for together.
    fn conflict(&self) -> Option<&'static str> {
        let one = self.extension.len();
        match self {
            _ if one > 1 => Some("--extension can only be provided once"),
            Self { all: true, .. } if self.itself || self.extensions || one > 0 => {
                Some("--all cannot be combined with --self, --extensions, or --extension")
            }
            Self { all: true, source: Some(_), .. } => Some("--all cannot be combined with a positional source"),
            _ if one > 0 && (self.itself || self.extensions) => {
                Some("--extension cannot be combined with --self, --extensions, or --all")
            }
            Self { source: Some(_), .. } if one > 0 => Some("--extension cannot be combined with a positional source"),
            Self { source: Some(_), .. } if !self.names_itself() && (self.itself || self.extensions) => {
                Some("positional update targets cannot be combined with --self, --extensions, or --all")
            }
            _ => None,
        }
    }

    /// Whether the argument is this program.
    pub(super) fn names_itself(&self) -> bool {
        matches!(self.source.as_deref(), Some("self" | "pi"))
    }
}
