//! What a step of rigid bodies, planar or spatial, reports of its answer to contact.

use crate::status::StepStatus;
use carom_frames::{Diagnostics, Impact};
use carom_rigid2d::StepReport;

/// How much of a contact problem a response can tell. It follows from the response alone, so that a
/// run does not say now 0 and now nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportDetail {
    /// No response, or forces: there is no contact problem and no impact.
    Nothing,
    /// Contacts are answered one after the other, so they have no islands.
    Rows,
    /// Contacts are solved island by island.
    RowsAndIslands,
}

/// What the responses of one step did, as both families report it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) iterations: u64,
    pub(crate) residual: f64,
    pub(crate) active_contacts: usize,
    pub(crate) contact_rows: usize,
    pub(crate) largest_island: usize,
    pub(crate) responses: usize,
    /// Kinetic energy before the first response and after the last.
    pub(crate) kinetic: [f64; 2],
    pub(crate) momentum_change: [f64; 3],
    pub(crate) angular_momentum_change: [f64; 3],
}

impl Answer {
    /// Of a report, which both families share.
    pub(crate) fn of(report: &StepReport) -> Answer {
        Answer {
            iterations: report.iterations,
            residual: report.residual.worst(),
            active_contacts: report.active_contacts,
            contact_rows: report.contact_rows,
            largest_island: report.largest_island,
            responses: report.responses,
            kinetic: [report.kinetic_before, report.kinetic_after],
            momentum_change: report.momentum_change,
            angular_momentum_change: report.angular_momentum_change,
        }
    }

    /// What a frame holds of it.
    pub(crate) fn diagnostics(&self, status: StepStatus, detail: ReportDetail) -> Diagnostics {
        Diagnostics {
            status: status.code(),
            iterations: u32::try_from(self.iterations).unwrap_or(u32::MAX),
            residual: self.residual,
            active_contacts: count(self.active_contacts),
            contact_rows: (detail != ReportDetail::Nothing).then_some(count(self.contact_rows)),
            largest_island: (detail == ReportDetail::RowsAndIslands).then_some(count(self.largest_island)),
            impact: self.impact(detail),
        }
    }

    fn impact(&self, detail: ReportDetail) -> Impact {
        match (detail, self.responses) {
            (ReportDetail::Nothing, _) => Impact::Unknown,
            (_, 0) => Impact::None,
            _ => Impact::Happened {
                kinetic_before: self.kinetic[0],
                kinetic_after: self.kinetic[1],
                momentum_change: self.momentum_change,
                angular_momentum_change: self.angular_momentum_change,
            },
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
