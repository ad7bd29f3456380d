//! Messages between the processes of a cluster that search one state space together.
//!
//! [`connect`] joins the processes by TCP, each with each, once both have proved that they have the
//! same question for the same program and know the same secret (`handshake`). A [`Cluster`] then
//! carries the messages of rounds as an [`Exchange`](deathwatch_checker::explore::Exchange), on
//! timely dataflow (`dataflow`): a round is a timestamp, its messages go through an exchange
//! channel, and a probe shows when all of them have come.
//!
//! A lost process ends the rounds of all others with an error (`watched`). Messages after the
//! handshake are neither encrypted nor signed, so the network has to be one that others cannot
//! write to.

mod connect;
mod dataflow;
mod handshake;
mod watched;

pub use connect::{ConnectError, HostAddress, Member, TurnedAway, connect, free_addresses};
pub use dataflow::{Cluster, Traffic};
