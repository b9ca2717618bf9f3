//! The natural logarithm as numpy calculates it.
//!
//! scikit-learn and gensim take logarithms from numpy. On processors with AVX-512 numpy uses Intel's
//! vector library, whose results differ from those of the C library in the last bit for about one
//! argument in a thousand. Weights are to be equal to the last bit, and equal on every machine, so this
//! does what that library does, step by step: a reciprocal of five bits, a table of its logarithm, and
//! a polynomial, all with fused multiplication and addition. (Where numpy has no AVX-512 it asks the C
//! library, and its last bits depend on that.)

/// Where the reciprocal of five bits changes: `ENDS[k]` is the smallest number in 1..2 whose
/// reciprocal is at most `(31 - k) / 32`. These are the steps of the processor's approximation.
const ENDS: [u64; 16] = [
    0x3FF0_40F0_0000_0000,
    0x3FF0_C970_0000_0000,
    0x3FF1_5B40_0000_0000,
    0x3FF1_F700_0000_0000,
    0x3FF2_9E60_0000_0000,
    0x3FF3_5230_0000_0000,
    0x3FF4_1430_0000_0000,
    0x3FF4_E5F0_0000_0000,
    0x3FF5_C990_0000_0000,
    0x3FF6_C150_0000_0000,
    0x3FF7_D070_0000_0000,
    0x3FF8_F9C0_0000_0000,
    0x3FFA_41A0_0000_0000,
    0x3FFB_AD00_0000_0000,
    0x3FFD_41C0_0000_0000,
    0x3FFF_0800_0000_0000,
];

/// `-ln(r)` for `r = (16 + k) / 32`, less ln 2 where `r` is below 3/4: first the high bits, then
/// the rest.
const TABLE: [(u64, u64); 16] = [
    (0x0000_0000_0000_0000, 0x0000_0000_0000_0000),
    (0xBFAF_0A30_C012_0000, 0x3D53_AB33_D066_D1D2),
    (0xBFBE_2707_6E2B_0000, 0x3D2A_342C_2AF0_003C),
    (0xBFC5_FF30_70A7_8000, 0xBD43_D3C8_73E2_0A07),
    (0xBFCC_8FF7_C79A_8000, 0xBD4A_21AC_25D8_1EF3),
    (0xBFD1_675C_ABAB_C000, 0x3D59_F1FC_6338_2A8F),
    (0xBFD4_618B_C21C_4000, 0xBD5E_C27D_0B7B_37B3),
    (0xBFD7_39D7_F6BB_C000, 0xBD50_069C_E24C_53FB),
    (0x3FD2_6962_1134_C000, 0x3D5B_9278_3BEB_7677),
    (0x3FCF_991C_6CB3_8000, 0x3D59_BCBE_CCA0_CDF3),
    (0x3FCA_93ED_3C8B_0000, 0xBD53_0E48_6A0A_C42D),
    (0x3FC5_BF40_6B54_0000, 0x3D5E_D8FD_C149_767E),
    (0x3FC1_178E_8228_0000, 0xBD4B_8421_CC74_BE04),
    (0x3FB9_335E_5D59_0000, 0x3D52_622B_8757_A8FB),
    (0x3FB0_8598_B59E_0000, 0x3D4D_0344_51FE_CDFB),
    (0x3FA0_415D_89E8_0000, 0xBD57_7771_FD18_7145),
];

/// Coefficients of the powers of the remainder, from the second on.
const POLYNOMIAL: [u64; 8] = [
    0xBFDF_FFFF_FFFF_FFC6,
    0x3FD5_5555_5555_5466,
    0xBFD0_0000_000C_05BD,
    0x3FC9_9999_99CC_9F5C,
    0xBFC5_5553_FB28_DB06,
    0x3FC2_4922_9CEE_81EF,
    0xBFC0_0735_7E93_AF62,
    0x3FBC_81CD_309D_7C70,
];

/// ln 2: the high bits, and the rest.
const LN_2: (u64, u64) = (0x3FE6_2E42_FEFA_0000, 0x3D7C_F79A_BC9E_0000);

/// The natural logarithm of a normal positive number.
pub fn ln(x: f64) -> f64 {
    if !x.is_normal() || x < 0.0 {
        return x.ln();
    }
    let number = f64::from_bits;
    let bits = x.to_bits();
    let significand = (bits & (u64::MAX >> 12)) | 1.0f64.to_bits();
    let below = ENDS.partition_point(|&end| end <= significand) as u64;
    // In units of a 32nd.
    let reciprocal = 32 - below;
    let remainder = (reciprocal as f64 / 32.0).mul_add(number(significand), -1.0);
    let exponent = ((bits >> 52) as i64 - 1023 + i64::from(reciprocal < 24)) as f64;
    let (high, low) = TABLE[reciprocal as usize % 16];

    let high = exponent.mul_add(number(LN_2.0), number(high));
    let low = exponent.mul_add(number(LN_2.1), number(low));
    let [p2, p3, p4, p5, p6, p7, p8, p9] = POLYNOMIAL.map(number);
    let square = remainder * remainder;
    let upper = remainder.mul_add(p9, p8).mul_add(square, remainder.mul_add(p7, p6));
    let lower = square.mul_add(remainder.mul_add(p5, p4), remainder.mul_add(p3, p2));
    let polynomial = (square * square).mul_add(upper, lower);
    let sum = high + remainder;
    let lost = remainder - (sum - high);
    sum + (square.mul_add(polynomial, lost) + low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What numpy 2.4 gives on a processor with AVX-512: first where the C library gives something else.
    #[test]
    fn logarithms_are_those_of_numpy() {
        let known: &[(u64, u64)] = &[
            (0x4018_084E_215F_E4EE, 0x3FFC_B094_70B8_2798),
            (0x3FF4_5230_C4A2_0A46, 0x3FCE_99CF_47D3_6587),
            (0x3FF1_D0B6_A5BE_C1AE, 0x3FBB_8308_F628_4C16),
            (0x3FF0_4FC0_BD91_D80C, 0x3F93_BF21_18E6_0858),
            (0x3FF0_0D5A_CFEC_46AD, 0x3F6A_AA80_733E_AB5F),
            (0x3FF2_B153_84D6_7143, 0x3FC3_E8D7_E727_380C),
            (0x3FF1_3A77_5BB5_CB3D, 0x3FB2_EFAA_9E29_1A78),
            (0x3FF0_44B7_C4A7_1BFB, 0x3F91_0975_328A_0DDA),
            (0x3FF0_0D26_3710_0693, 0x3F6A_41A5_935D_3AB3),
            (0x3FF8_B53C_739A_F1BA, 0x3FDB_CF72_1911_64DB),
            (0x3FF0_DC99_AFB4_052E, 0x3FAA_DBAD_15C4_D24F),
            (0x3FF0_336E_EDD3_C609, 0x3F89_8E79_1FF8_04D8),
            (0x4013_825F_6825_F682, 0x3FF9_5A80_96DE_6A26),
            (0x3FF4_30FB_C46B_24AC, 0x3FCD_C7F8_D20B_2395),
            (0x3FF0_3FA6_F857_AD86, 0x3F8F_94D3_B6C8_514C),
            (0x3FF0_1D80_7388_0875, 0x3F7D_6561_F409_B7AB),
            (0x40A1_5CAA_AAAA_AAAB, 0x401E_D343_B54F_6C12),
            (0x405D_111D_C477_11DC, 0x4013_0608_D548_1A15),
            (0x3FF8_F63D_8F63_D8F6, 0x3FDC_76F6_E454_D550),
            (0x404A_0E7D_0144_73DA, 0x400F_A099_A8A3_6BB9),
            (0x40E3_3700_0000_0000, 0x4025_291D_5AA1_B413),
            (0x40F3_69B0_0000_0000, 0x4026_9141_40A4_0A6C),
            (0x40FD_37E0_0000_0000, 0x4027_6297_3C2C_0659),
            (0x4103_8308_0000_0000, 0x4027_F6C0_2A28_20CB),
        ];
        for &(x, expected) in known {
            assert_eq!(ln(f64::from_bits(x)).to_bits(), expected, "{}", f64::from_bits(x));
        }
    }

    #[test]
    fn logarithms_are_nearly_those_of_the_system() {
        for count in 1..=200_000u32 {
            for x in [f64::from(count), 20_000.0 / f64::from(count)] {
                let (own, system) = (ln(x), x.ln());
                assert!((own - system).abs() <= 2.0 * f64::EPSILON * system.abs(), "{x}");
            }
        }
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
        assert!(ln(-1.0).is_nan());
    }
}
