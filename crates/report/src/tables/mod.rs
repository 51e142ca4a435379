//! The tables that stand without a figure: one file each, one row here.

mod fit;
mod unscored;

use stereometer_record::Results;

use crate::Table;

/// Makes a table from the results.
pub type Make = fn(&Results) -> Table;

/// Every table without a figure.
pub const TABLES: [Make; 2] = [fit::table, unscored::table];

pub(crate) use fit::table as fit;
pub(crate) use unscored::table as unscored;
