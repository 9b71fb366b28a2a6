//! Packages for one run, as the library gives them.

use std::os::unix::fs::symlink;

use pi_coding_agent::packages::{PackageManager, PackageOptions, temporary, temporary_resources};

use crate::packages::registry::Registry;
use crate::packages::world::{World, has};

fn manager(world: &World, offline: bool) -> PackageManager {
    let options = PackageOptions { offline, ..PackageOptions::default() };
    PackageManager::new(world.settings(), world.paths(), options)
}

#[tokio::test]
async fn a_path_is_taken_as_it_is() {
    let world = World::new();
    world.package("pkg", "one");
    let dir = temporary(&manager(&world, true), "../pkg").await.unwrap();
    assert_eq!(dir, world.path("pkg"));
    let missing = temporary(&manager(&world, true), "../gone").await.unwrap_err().to_string();
    assert_eq!(world.mask(&missing), "Path does not exist: ROOT/gone");
    let refused = temporary(&manager(&world, true), "npm:tools").await.unwrap_err().to_string();
    assert!(refused.contains("pi is offline"), "{refused}");
}

#[tokio::test]
async fn a_repository_lies_in_the_users_own_directory_and_follows_its_source() {
    if !has("git") {
        return;
    }
    let world = World::new();
    let server = Registry::serving(world.path("repositories"));
    let commit = |name: &str| {
        world.package("repositories/repo", name);
        for line in ["git add -A", "git -c user.name=me -c user.email=me@x commit -qm new", "git update-server-info"] {
            world.program(&line.split(' ').collect::<Vec<_>>(), "repositories/repo");
        }
        world.program(&["git", "tag", name], "repositories/repo");
        world.program(&["git", "update-server-info"], "repositories/repo");
    };
    world.package("repositories/repo", "one");
    world.program(&["git", "init", "-q"], "repositories/repo");
    commit("one");
    let newest = format!("{}repo/repository", server.address);
    symlink(".git", world.path("repositories/repo/repository")).unwrap();
    let pinned = format!("{newest}@one");
    let fetch = async |source: &str, offline| temporary(&manager(&world, offline), source).await.unwrap();
    let dir = fetch(&newest, false).await;
    assert!(dir.starts_with(world.path("home/.pi/agent/tmp/packages")) && dir.ends_with("repo/repository"), "{dir:?}");
    let of_tag = fetch(&pinned, false).await;
    assert_ne!(dir, of_tag);

    commit("two");
    assert_eq!(fetch(&newest, true).await, dir, "without network it is what it was");
    assert!(!dir.join("skills/two").exists());
    fetch(&newest, false).await;
    assert!(dir.join("skills/two").exists());
    fetch(&pinned, false).await;
    assert!(!of_tag.join("skills/two").exists());
    let resources = temporary_resources(&newest, &dir);
    let paths = &resources.packages[0].paths;
    assert_eq!((paths.skills.len(), paths.prompts.len(), paths.extensions.len()), (2, 2, 2));
    assert!(!world.path("home/.pi/agent/settings.json").exists());
}
