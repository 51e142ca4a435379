//! The cells of every table of the study: group × pole, group by group, in the order of the inventory.

use std::collections::HashMap;

use stereometer_core::Slug;
use stereometer_record::InventorySummary;

/// A place for every group and pole.
#[derive(Debug, Clone)]
pub struct Grid {
    groups: Vec<Slug>,
    poles: Vec<Slug>,
    group_places: HashMap<Slug, usize>,
    pole_places: HashMap<Slug, usize>,
}

impl Grid {
    /// The grid of an inventory.
    pub fn new(inventory: &InventorySummary) -> Self {
        let groups: Vec<Slug> = inventory.groups.iter().map(|group| group.id.clone()).collect();
        let both = inventory.pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]);
        let poles: Vec<Slug> = both.cloned().collect();
        let places = |all: &[Slug]| all.iter().cloned().zip(0..).collect();
        Self { group_places: places(&groups), pole_places: places(&poles), groups, poles }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.groups.len() * self.poles.len()
    }

    /// The groups.
    pub fn groups(&self) -> &[Slug] {
        &self.groups
    }

    /// The poles, left then right, pair by pair.
    pub fn poles(&self) -> &[Slug] {
        &self.poles
    }

    /// Place of a group.
    pub fn group(&self, id: &Slug) -> Option<usize> {
        self.group_places.get(id).copied()
    }

    /// Place of a pole.
    pub fn pole(&self, id: &Slug) -> Option<usize> {
        self.pole_places.get(id).copied()
    }

    /// The cell of a group and a pole, by their places.
    pub fn cell(&self, group: usize, pole: usize) -> usize {
        group * self.poles.len() + pole
    }

    /// Group and pole of a cell.
    pub fn at(&self, cell: usize) -> (&Slug, &Slug) {
        (&self.groups[cell / self.poles.len()], &self.poles[cell % self.poles.len()])
    }
}
