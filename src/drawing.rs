//! STUB to be replaced by the protocol branch
use crate::game::Game;
/// stub
pub fn board<G: Game>(position: &G) -> String {
    format!("{position}\n")
}
