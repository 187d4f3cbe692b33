//! The images of a filter under a transform: tables give the images that may match, and only these
//! are evaluated.

use babson_lang::hir::Expr;

use super::builder::Builder;
use crate::images::Images;
use crate::limits::MIN_TABLE_IMAGES;
use crate::op::{Id, ImagesSpec, Label, Op};

impl Builder {
    /// Compiles each image with `f`, which gets the label where the next one begins.
    pub(super) fn each_image(
        &mut self,
        images: &[Expr],
        mut f: impl FnMut(&mut Self, &Expr, Label),
    ) {
        let Some(spec) = self.images(images) else {
            for image in images {
                let next = self.label();
                f(self, image, next);
                self.bind(next);
            }
            return;
        };
        let cursor = self.temp();
        let (again, done) = (self.label(), self.label());
        self.emit(Op::ImagesStart { spec, cursor, done });
        self.bind(again);
        self.emit(Op::NextImage { spec, cursor, done });
        let mut entries = Vec::with_capacity(images.len());
        for image in images {
            entries.push(self.entry("image"));
            f(self, image, again);
            self.jump(again);
        }
        self.images[spec].entries = entries;
        self.bind(done);
    }

    /// The test of the images, if there are enough of them and a test can be derived.
    pub(super) fn images(&mut self, images: &[Expr]) -> Option<Id<ImagesSpec>> {
        if images.len() < MIN_TABLE_IMAGES || !self.uses_conditions() {
            return None;
        }
        let tied = self.in_tie;
        let images = Images::of(images, tied, &self.analysis, &mut self.table_words)?;
        self.notes.push(format!("{} images: candidates found by tables", images.len));
        Some(self.images.push(ImagesSpec { images, entries: Vec::new() }))
    }
}
