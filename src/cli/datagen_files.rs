//! Journals of `datagen` as arguments.

use std::path::PathBuf;

use super::{Failure, Global, files};
use crate::file::journal::JournalError;
use crate::shard::Shard;
use crate::train::games::{self, Games};
use totemic_engine::game::{GameKind, quoted_path};

/// Reads the games of journals by recipe, all of one game; warns about missing ones.
pub(super) fn read(global: Global, paths: &[PathBuf]) -> Result<(GameKind, Vec<Games>), Failure> {
    let failed = |why: JournalError| files::journal_error(why, "a journal of datagen");
    let (mut all, mut kind, mut parts) = (Vec::new(), None, Vec::new());
    for path in paths {
        let Some(contents) = games::read(path).map_err(failed)? else {
            say!("{}: no games yet", quoted_path(path));
            continue;
        };
        files::tell_torn(path, &contents);
        parts.push(contents.heading.shard);
        let name = contents.heading.settings.game.clone();
        games::add(path, contents, &mut all).map_err(failed)?;
        let game = GameKind::named(&name).unwrap_or_default();
        global.agrees(game, || format!("the games in {} are", quoted_path(path)))?;
        if *kind.get_or_insert(game) != game {
            let what = format!("its games are of {name}, those of the journals before it are not");
            return Err(files::content_error(path, what));
        }
    }
    if let Some(missing) = Shard::missing(&parts) {
        say!("warning: {missing}");
    }
    for Games { recipe, games } in &all {
        let missing = recipe.games - games.len() as u64;
        if missing > 0 {
            let (all, seed) = (recipe.games, recipe.seed);
            let are = if missing == 1 { "is" } else { "are" };
            say!("warning: {missing} of the {all} games with seed {seed} {are} missing");
        }
    }
    Ok((kind.unwrap_or(global.kind()), all))
}
