//! Programs that `pi` starts, and their end: with the real `pi`, killed in every way.

mod files;
mod killed;
mod limits;
mod marked;
mod spawner;
