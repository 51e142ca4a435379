//! The tables that stand without a figure: one file each, one row here.

mod by_form;
mod fit;
mod token_counts;
mod unscored;

use stereometer_record::Results;

use crate::Table;

/// Makes a table from the results.
pub type Make = fn(&Results) -> Table;

/// Every table without a figure.
pub const TABLES: [Make; 4] = [by_form::table, token_counts::table, fit::table, unscored::table];

pub(crate) use by_form::table as by_form;
pub(crate) use fit::table as fit;
pub(crate) use token_counts::table as token_counts;
pub(crate) use unscored::table as unscored;
