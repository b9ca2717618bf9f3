//! How symbols are numbered on disk: [`ranks`] orders them, [`cells`] cuts the numbers into a part
//! that is entropy-coded and a part that is not.

pub(crate) mod cells;
pub(crate) mod ranks;
