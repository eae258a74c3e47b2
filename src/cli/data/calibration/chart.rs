//! A picture of a calibration as SVG: points expected against points made.
//!
//! The picture has its own background, light or dark as the reader prefers, so that it
//! can be read on any page. Dashes, and colours that colour-blind people can tell apart
//! (Okabe and Ito, 2008), mark the parts of the game.

use crate::train::calibration::{Calibration, Phase};
use totemic_games::review::escaped;

const STYLE: &str = "\
.ground{fill:#fff}text{fill:#24292f;font:13px system-ui,sans-serif}.grid{stroke:#d0d7de}.even{stroke:#57606a}
.p0{color:#0072b2}.p1{color:#d55e00}.p2{color:#00805c}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117}text{fill:#e6edf3}.grid{stroke:#30363d}.even{stroke:#9aa4af}
.p0{color:#56b4e9}.p1{color:#ff9d4d}.p2{color:#3fcf9f}}
path,polyline{fill:none;vector-effect:non-scaling-stroke}
.line{stroke:currentColor;stroke-width:2}circle{fill:currentColor;fill-opacity:.75}
.p1 .line{stroke-dasharray:8 4}.p2 .line{stroke-dasharray:2 4}
";

/// Converts from percent to the square of the graph, whose side is 400.
const GRAPH: &str = "<g transform=\"translate(70 464) scale(4 -4)\">";

pub(super) fn svg(calibration: &Calibration, title: &str) -> String {
    let title = escaped(title);
    let steps = [0, 20, 40, 60, 80, 100];
    let grid = steps.map(|at| format!("M{at} 0V100M0 {at}H100")).concat();
    let labels = steps.map(|at| {
        let (x, y) = (70 + 4 * at, 468 - 4 * at);
        format!(
            "<text x=\"{x}\" y=\"484\" text-anchor=\"middle\">{at} %</text>\
             <text x=\"62\" y=\"{y}\" text-anchor=\"end\">{at} %</text>\n"
        )
    });
    let labels = labels.concat();
    let phases = &calibration.phases[1..];
    let tenths = phases.iter().flat_map(|phase| &phase.tenths);
    let most = tenths.map(|tenth| tenth.positions).max().unwrap_or(0);
    let lines = phases.iter().enumerate();
    let lines: String = lines.map(|(at, phase)| line(at, phase, most)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 494 620\" width=\"494\" \
         height=\"620\" role=\"img\">\n<title>Points expected and made: {title}</title>\n\
         <style>\n{STYLE}</style>\n<rect class=\"ground\" width=\"494\" height=\"620\"/>\n\
         <text x=\"70\" y=\"26\" font-weight=\"600\">Points expected and made</text>\n\
         <text x=\"70\" y=\"46\">{title}</text>\n{labels}\
         <text x=\"270\" y=\"508\" text-anchor=\"middle\">expected by the score</text>\n\
         <text transform=\"translate(18 264) rotate(-90)\" text-anchor=\"middle\">made</text>\n\
         {GRAPH}<path class=\"grid\" d=\"{grid}\"/><path class=\"even\" d=\"M0 0L100 100\"/></g>\n\
         {lines}<text x=\"70\" y=\"606\">The more positions, the larger a dot: at most {most}\
         </text>\n</svg>\n"
    )
}

fn line(at: usize, phase: &Phase, most: usize) -> String {
    let (mut points, mut dots) = (String::new(), String::new());
    let name = match phase.plies {
        [first, u8::MAX] => format!("{}, from ply {first} on", phase.name),
        [first, last] => format!("{}, plies {first} to {last}", phase.name),
    };
    for tenth in &phase.tenths {
        if let Some(means) = tenth.means() {
            let [expected, made] = means.map(|points| 100.0 * points);
            let positions = tenth.positions;
            let radius = 0.5 + 2.0 * (positions as f64 / most as f64).sqrt();
            points += &format!("{expected:.2},{made:.2} ");
            dots += &format!(
                "<circle cx=\"{expected:.2}\" cy=\"{made:.2}\" r=\"{radius:.2}\"><title>{name}: \
                 {expected:.1} % expected, {made:.1} % made, {positions} positions</title></circle>\n"
            );
        }
    }
    let (y, all) = (538 + 20 * at, phase.positions());
    format!(
        "<g class=\"p{at}\">{GRAPH}<polyline class=\"line\" points=\"{points}\"/>\n{dots}</g>\
         <path class=\"line\" d=\"M70 {y}h36\"/><text x=\"116\" y=\"{}\">{name}: {all} positions\
         </text></g>\n",
        y + 4
    )
}
