//! Messages between the processes of a cluster that search one state space together.
//!
//! [`connect`] joins the processes by TCP, each with each, once both have shown that they ask the
//! same question of the same program and know the same secret (`handshake`). A [`Cluster`] then
//! carries the messages of rounds as an [`Exchange`](deathwatch_checker::explore::Exchange), on
//! timely dataflow (`dataflow`): a round is a timestamp, its messages go through an exchange
//! channel, and a probe says when all of them have come.
//!
//! A process that is lost ends the rounds of all others with an error (`watched`). What is sent is
//! neither encrypted nor signed after the handshake, so the network has to be one that others
//! cannot write to.

mod connect;
mod dataflow;
mod handshake;
mod watched;

pub use connect::{ConnectError, HostAddress, Member, TurnedAway, connect, free_addresses};
pub use dataflow::{Cluster, Traffic};
