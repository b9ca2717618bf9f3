//! placeholder
/// d
pub struct Dictionary; 
/// e
pub struct DictionaryError;
