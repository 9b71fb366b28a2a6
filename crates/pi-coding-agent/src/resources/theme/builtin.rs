//! The built-in themes: a table of what each token looks like on a dark and on a light terminal.

use super::colour::Colour;
use super::theme::{ExportColours, Theme};
use super::token::Token;

/// The terminal's own colour.
const OWN: u32 = u32::MAX;

/// Token, colour on dark ground, colour on light ground.
const TABLE: &[(Token, u32, u32)] = &[
    (Token::Accent, 0x6c_b6_ff, 0x0b_5c_ad),
    (Token::Border, 0x4f_6f_8f, 0x6a_8c_b0),
    (Token::BorderAccent, 0x56_c2_c2, 0x0a_7d_7d),
    (Token::BorderMuted, 0x43_48_52, 0xb8_bd_c7),
    (Token::Success, 0x7f_c9_7f, 0x2b_7a_2b),
    (Token::Error, 0xf0_71_78, 0xb3_26_2d),
    (Token::Warning, 0xe6_c0_6a, 0x8a_61_00),
    (Token::Muted, 0x8b_93_a1, 0x5c_64_70),
    (Token::Dim, 0x68_70_7d, 0x7d_85_91),
    (Token::Text, OWN, OWN),
    (Token::ThinkingText, 0x8b_93_a1, 0x5c_64_70),
    (Token::SelectedBg, 0x2c_37_47, 0xd8_e5_f4),
    (Token::UserMessageBg, 0x25_2b_36, 0xe9_ed_f3),
    (Token::UserMessageText, OWN, OWN),
    (Token::CustomMessageBg, 0x2c_26_38, 0xee_e8_f6),
    (Token::CustomMessageText, OWN, OWN),
    (Token::CustomMessageLabel, 0xb3_9d_f0, 0x6b_45_b8),
    (Token::ToolPendingBg, 0x26_29_30, 0xec_ee_f1),
    (Token::ToolSuccessBg, 0x1f_2e_26, 0xe4_f1_e6),
    (Token::ToolErrorBg, 0x37_24_27, 0xf8_e6_e7),
    (Token::ToolTitle, OWN, OWN),
    (Token::ToolOutput, 0xa5_ac_b8, 0x4a_52_5e),
    (Token::MdHeading, 0xe6_c0_6a, 0x8a_61_00),
    (Token::MdLink, 0x6c_b6_ff, 0x0b_5c_ad),
    (Token::MdLinkUrl, 0x68_70_7d, 0x7d_85_91),
    (Token::MdCode, 0x56_c2_c2, 0x0a_7d_7d),
    (Token::MdCodeBlock, 0xb9_d4_a8, 0x3d_5c_2e),
    (Token::MdCodeBlockBorder, 0x68_70_7d, 0x9a_a1_ac),
    (Token::MdQuote, 0xa5_ac_b8, 0x4a_52_5e),
    (Token::MdQuoteBorder, 0x68_70_7d, 0x9a_a1_ac),
    (Token::MdHr, 0x68_70_7d, 0x9a_a1_ac),
    (Token::MdListBullet, 0x6c_b6_ff, 0x0b_5c_ad),
    (Token::ToolDiffAdded, 0x7f_c9_7f, 0x2b_7a_2b),
    (Token::ToolDiffRemoved, 0xf0_71_78, 0xb3_26_2d),
    (Token::ToolDiffContext, 0x8b_93_a1, 0x5c_64_70),
    (Token::SyntaxComment, 0x76_8a_6b, 0x55_75_45),
    (Token::SyntaxKeyword, 0xc7_92_ea, 0x7a_2f_a8),
    (Token::SyntaxFunction, 0x82_b1_ff, 0x1d_4f_b8),
    (Token::SyntaxVariable, 0xd7_dd_e8, 0x24_35_4d),
    (Token::SyntaxString, 0xe0_a9_7a, 0x9c_4a_10),
    (Token::SyntaxNumber, 0xf2_d0_7c, 0x7d_5a_00),
    (Token::SyntaxType, 0x5f_cf_b5, 0x0c_6f_5c),
    (Token::SyntaxOperator, 0x9f_c6_d9, 0x35_60_75),
    (Token::SyntaxPunctuation, 0xa5_ac_b8, 0x4a_52_5e),
    (Token::ThinkingOff, 0x43_48_52, 0xb8_bd_c7),
    (Token::ThinkingMinimal, 0x5c_66_74, 0x93_9d_ab),
    (Token::ThinkingLow, 0x4f_7f_ae, 0x3f_78_b0),
    (Token::ThinkingMedium, 0x5f_b3_d9, 0x1b_81_a8),
    (Token::ThinkingHigh, 0xa3_8b_e6, 0x7a_52_c7),
    (Token::ThinkingXhigh, 0xd6_7f_d6, 0xa8_34_9a),
    (Token::ThinkingMax, 0xf0_6f_8f, 0xb8_23_55),
    (Token::BashMode, 0x9c_cc_65, 0x4b_7d_1a),
];

/// Page, card and note of exported pages on dark ground, then on light ground.
const EXPORT: [[u32; 3]; 2] = [[0x17_1a_20, 0x20_24_2c, 0x33_2e_20], [0xf6_f7_f9, 0xff_ff_ff, 0xfb_f4_df]];

/// For dark terminals.
pub(super) fn dark() -> Theme {
    theme("dark", |(_, dark, _)| *dark, EXPORT[0])
}

/// For light terminals.
pub(super) fn light() -> Theme {
    theme("light", |(_, _, light)| *light, EXPORT[1])
}

fn theme(name: &str, pick: impl Fn(&(Token, u32, u32)) -> u32, [page, card, info]: [u32; 3]) -> Theme {
    let export = ExportColours { page: Some(colour(page)), card: Some(colour(card)), info: Some(colour(info)) };
    let colours = TABLE.iter().map(|row| colour(pick(row))).collect();
    Theme { name: name.to_owned(), colours, export, source: None }
}

fn colour(hex: u32) -> Colour {
    let [_, red, green, blue] = hex.to_be_bytes();
    if hex == OWN { Colour::Terminal } else { Colour::Rgb(red, green, blue) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_tokens() {
        assert_eq!(TABLE.iter().map(|(token, ..)| *token).collect::<Vec<_>>(), Token::ALL);
        assert_eq!(Token::ALL.len(), 52);
        let backgrounds: Vec<_> = Token::ALL.iter().filter(|token| token.is_background()).collect();
        assert_eq!(backgrounds.len(), 6);
    }

    #[test]
    fn text_can_be_read_on_its_background() {
        let luminance = |hex: u32| {
            let [_, red, green, blue] = hex.to_be_bytes().map(|part| f64::from(part) / 255.0);
            let linear = |part: f64| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let contrast = |a: u32, b: u32| {
            let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
            a.max(b) / a.min(b)
        };
        let frames = ["border", "thinking", "mdCodeBlockBorder", "mdQuoteBorder", "mdHr", "dim", "mdLinkUrl"];
        for (token, dark, light) in TABLE.iter().filter(|(token, ..)| !token.is_background()) {
            let is_frame = frames.iter().any(|frame| token.name().starts_with(frame)) && *token != Token::ThinkingText;
            let wanted = if is_frame { 1.5 } else { 4.0 };
            for (colour, ground) in [(*dark, 0x17_1a_20), (*light, 0xff_ff_ff)] {
                let reached = if colour == OWN { wanted } else { contrast(colour, ground) };
                assert!(reached >= wanted, "{} on {ground:06x}: {reached:.2}", token.name());
            }
        }
    }
}
