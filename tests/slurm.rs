//! The files for Slurm, on a Slurm that the test starts: one node, and daemons that live as long as
//! the test.
//!
//! Without Slurm the test reports that and does nothing, unless `NEEDS_SLURM` is set: then it
//! fails. `.ci/run` installs Slurm and sets it.

#![cfg(target_os = "linux")]

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// The time that the daemons, or all jobs, may take.
const PATIENCE: Duration = Duration::from_secs(90);

/// A Slurm with one node. Its daemons end with it, and with the thread that started them.
struct Slurm {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts the daemons, and waits until the node is idle.
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let mut slurm = Self { folder, daemons: Vec::new() };
        let host = text(&run(Command::new("hostname").arg("-s")));
        slurm.configure(host.trim());
        let path = |name: &str| slurm.path(name).display().to_string();
        let mut munged = vec!["munged".to_owned(), "--foreground".to_owned(), "--force".to_owned()];
        for (flag, file) in [
            ("key-file", "munge.key"),
            ("socket", "munge.socket"),
            ("pid-file", "munged.pid"),
            ("log-file", "munged.log"),
            ("seed-file", "munge.seed"),
        ] {
            munged.push(format!("--{flag}={}", path(file)));
        }
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        slurm.daemon(&munged);
        slurm.wait_until("munged answers", |slurm| slurm.path("munge.socket").exists());
        slurm.daemon(&words("slurmctld -D -i"));
        slurm.daemon(&words(&format!("slurmd -D -N {}", host.trim())));
        slurm.wait_until("the node is idle", |slurm| {
            let state = slurm.command("sinfo").args(["-h", "-o", "%t"]).output();
            text(&state.expect("it runs")).trim() == "idle"
        });
        slurm
    }

    /// Writes the configuration, and the key that the daemons share.
    fn configure(&self, host: &str) {
        let user = text(&run(Command::new("id").arg("-un")));
        let (user, folder) = (user.trim(), self.folder.path().display());
        let [controller, node] = [(), ()].map(|()| {
            let socket = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
            socket.local_addr().expect("it is bound").port()
        });
        let lines = format!(
            "ClusterName=deathwatch\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\n\
             SlurmdPort={node}\nAuthType=auth/munge\nCredType=cred/munge\n\
             AuthInfo=socket={folder}/munge.socket\nSlurmUser={user}\nSlurmdUser={user}\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSwitchType=switch/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nMpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\nReturnToService=2\nKillWait=1\n\
             AccountingStorageType=accounting_storage/none\nSlurmdParameters=config_overrides\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(self.path("slurm.conf"), lines).expect("written");
        for folder in ["state", "spool"] {
            fs::create_dir(self.path(folder)).expect("made");
        }
        let key: Vec<u8> = (0..=255).cycle().take(1024).collect();
        fs::write(self.path("munge.key"), key).expect("written");
        let only_mine = fs::Permissions::from_mode(0o400);
        fs::set_permissions(self.path("munge.key"), only_mine).expect("changed");
        // munged needs a folder that others can read and cannot write.
        let mine = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.folder.path(), mine).expect("changed");
    }

    /// Starts a daemon, which is killed whenever this thread ends.
    fn daemon(&mut self, words: &[String]) {
        let log = fs::File::create(self.path(&format!("{}.out", words[0]))).expect("made");
        let mut daemon = self.command("setpriv");
        daemon.args(["--pdeathsig", "KILL"]).args(words);
        daemon
            .env("PATH", format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default()));
        daemon.stdin(Stdio::null()).stderr(log.try_clone().expect("open")).stdout(log);
        self.daemons.push(daemon.spawn().expect("setpriv is there"));
    }

    /// A command that talks to the daemons.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.path("slurm.conf"));
        command.env("DEATHWATCH", env!("CARGO_BIN_EXE_deathwatch"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until `is_so`.
    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < PATIENCE, "{what}: in vain\n{}", self.logs());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn logs(&self) -> String {
        let names = ["munged.out", "slurmctld.out", "slurmctld.log", "slurmd.out", "slurmd.log"];
        let read = |name: &str| fs::read_to_string(self.path(name)).unwrap_or_default();
        names.map(|name| format!("{name}:\n{}", read(name))).concat()
    }

    /// The states of jobs that have not ended, such as "RUNNING".
    fn states(&self, job: &str) -> String {
        let states = self.command("squeue").args(["-h", "-o", "%T", "-j", job]).output();
        text(&states.expect("it runs")).trim().to_owned()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        // If the test fails in the middle, its jobs are cancelled.
        let cancelled = self.command("scancel").args(["--me", "--full"]).output();
        drop(cancelled);
        let begun = Instant::now();
        let are_jobs = |slurm: &Self| {
            let jobs = slurm.command("squeue").arg("-h").output();
            jobs.is_ok_and(|jobs| !jobs.stdout.is_empty())
        };
        while are_jobs(self) && begun.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(50));
        }
        for daemon in self.daemons.iter_mut().rev() {
            // It may have ended by itself.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Runs a command, which has to succeed.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether Slurm is installed. Without it the test is skipped where it may be.
fn is_there() -> bool {
    // Without a configuration it does not even print its version, but it can be started.
    let found = Command::new("sbatch").arg("--version").output().is_ok();
    let is_needed = std::env::var_os("NEEDS_SLURM").is_some();
    assert!(found || !is_needed, "NEEDS_SLURM is set, and there is no sbatch: install slurm-wlm");
    if !found {
        eprintln!("skipped: there is no sbatch; apt-get install slurm-wlm munge");
    }
    found
}

/// Some small scenarios, and a large one that keeps a shard busy for some seconds.
fn scenarios(folder: &Path) -> PathBuf {
    let (from, to) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"), folder.join("scenarios"));
    fs::create_dir(&to).expect("made");
    let mut files: Vec<PathBuf> = fs::read_dir(from.join("transactions/races"))
        .expect("it is shipped")
        .map(|entry| entry.expect("read").path())
        .collect();
    files.sort();
    for file in files.iter().take(24) {
        fs::copy(file, to.join(file.file_name().expect("it has one"))).expect("copied");
    }
    // The largest scenario is dealt to the first shard, and is its last one by name. Another
    // scenario of its file is dealt to another shard.
    let large = from.join("lifecycle/subordinate-from-scratch-split.toml");
    fs::copy(large, to.join("zzz-large.toml")).expect("copied");
    to
}

/// Eight shards, one of which is killed and requeued, give the answers of one machine.
#[test]
fn shards_on_slurm_say_what_one_machine_says() {
    if !is_there() {
        return;
    }
    let slurm = Slurm::start();
    let scenarios = scenarios(slurm.folder.path()).display().to_string();
    let found = slurm.path("found");
    let submitted =
        run(slurm.command("deploy/slurm/submit").arg("8").arg(&found).args(["check", &scenarios]));
    let submitted = text(&submitted);
    let (array, merge) = submitted.trim().split_once(' ').expect("two numbers");

    let journal = || fs::read_to_string(found.join("1.jsonl")).unwrap_or_default();
    let lines = |text: &str| text.matches('\n').count();
    slurm.wait_until("the first shard has an answer", |_| lines(&journal()) >= 2);
    let task = format!("{array}_1");
    assert_eq!(slurm.states(&task), "RUNNING", "it is busy with the large scenario");
    run(slurm.command("scontrol").args(["requeue", &task]));
    slurm.wait_until("the shard is gone", |slurm| slurm.states(&task) == "PENDING");
    let before = journal();
    // Slurm waits two minutes before it starts a task again.
    let now = format!("JobId={task}");
    run(slurm.command("scontrol").args(["update", &now, "StartTime=now"]));
    slurm.wait_until("all is merged", |slurm| slurm.states(merge).is_empty());

    let after = journal();
    assert!(after.starts_with(&before), "it has gone on from its journal");
    assert_eq!(lines(&after), lines(&before) + 1, "only the large scenario was missing");
    let log = fs::read_to_string(found.join("1.log")).expect("written");
    assert!(log.contains("as expected"), "{log}");

    let whole = run(slurm.command(env!("CARGO_BIN_EXE_deathwatch")).args(["check", &scenarios]));
    let report = fs::read_to_string(found.join("report.txt")).expect("merged");
    assert_eq!(report, text(&whole));
    let answered = report.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(report.ends_with(" states\n") && answered == 26, "{report}");
}

/// Submits the job of a cluster of two tasks with these arguments of `check`, and returns its
/// identifier.
fn submit_cluster(slurm: &Slurm, found: &Path, check: &[&str]) -> String {
    let mut submit = slurm.command("sbatch");
    submit.args(["--parsable", "--ntasks=2", "--output"]).arg(slurm.path("cluster.log"));
    submit.arg("deploy/slurm/cluster.sbatch").arg(found).arg("check").args(check);
    text(&run(&mut submit)).trim().to_owned()
}

/// The exit code of a job with the signal that ended it, such as "0:0".
fn exit_code(slurm: &Slurm, job: &str) -> String {
    slurm.wait_until("the job ends", |slurm| slurm.states(job).is_empty());
    let shown = text(&run(slurm.command("scontrol").args(["show", "job", job])));
    let mut words = shown.split_whitespace();
    words.find_map(|it| it.strip_prefix("ExitCode=")).expect("it says").to_owned()
}

/// The identifier of process 1 of the cluster in this folder, once it is connected.
fn connected_follower(found: &Path) -> Option<u32> {
    let hosts = fs::read_to_string(found.join("hosts")).ok()?;
    let port: u16 = hosts.lines().next()?.rsplit_once(':')?.1.parse().ok()?;
    // A line has its number, both addresses, and the state, of which 01 is "established".
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|it| fs::read_to_string(it).ok());
    let is_it = |line: &str| {
        let mut words = line.split_whitespace().skip(2);
        let other = words.next().is_some_and(|it| it.ends_with(&format!(":{port:04X}")));
        other && words.next() == Some("01")
    };
    tables.iter().flatten().flat_map(|table| table.lines()).find(|line| is_it(line))?;
    let (folder, program) = (found.to_str()?, env!("CARGO_BIN_EXE_deathwatch"));
    fs::read_dir("/proc").ok()?.filter_map(Result::ok).find_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8(line).ok()?;
        let is_it = line.starts_with(program)
            && line.contains(folder)
            && line.ends_with("\0--process\x001\0");
        if is_it { entry.file_name().to_str()?.parse().ok() } else { None }
    })
}

/// Two tasks that search together give the answers of one process. If one is killed, the other
/// reports it, and the next job goes on from their checkpoints.
#[test]
fn a_cluster_on_slurm_says_what_one_process_says() {
    if !is_there() {
        return;
    }
    let slurm = Slurm::start();
    let found = slurm.path("found");
    let log = || {
        let files = [found.join("0.log"), found.join("1.log"), slurm.path("cluster.log")];
        files.map(|file| fs::read_to_string(file).unwrap_or_default()).concat()
    };
    let report = || fs::read_to_string(found.join("report.txt")).expect("written");

    // Otherwise process 0 would answer such a small world alone.
    let all = ["--verbose", "--symmetry", "off"];
    let small = [&["scenarios/relation-scope-bug/1-as-written.toml"], &all[..]].concat();
    let job = submit_cluster(&slurm, &found, &small);
    assert_eq!(exit_code(&slurm, &job), "0:0", "{}", log());
    let mut alone = slurm.command(env!("CARGO_BIN_EXE_deathwatch"));
    let alone = run(alone.arg("check").args(&small));
    assert_eq!(report(), text(&alone));
    let hosts = fs::read_to_string(found.join("hosts")).expect("written");
    assert_eq!(hosts.lines().count(), 2, "{hosts}");
    assert!(!found.join("secret").exists(), "it is gone with the processes");

    let large = "scenarios/by-name/exhaustive/thirteen-million-states.toml";
    let job = submit_cluster(&slurm, &found, &[large, "--time", "80s"]);
    slurm.wait_until("the processes are connected", |_| connected_follower(&found).is_some());
    let secret = fs::metadata(found.join("secret")).expect("it is there while they run");
    assert_eq!(secret.permissions().mode() & 0o777, 0o600, "nobody else can read it");
    slurm.wait_until("both have a checkpoint", |_| {
        let files = fs::read_dir(found.join("checkpoints")).into_iter().flatten();
        let names = files.filter_map(|it| it.ok()?.file_name().into_string().ok());
        names.filter(|name| name.ends_with(".checkpoint")).count() == 2
    });
    let follower = connected_follower(&found).expect("it is busy").to_string();
    run(Command::new("kill").args(["-KILL", &follower]));
    assert_eq!(exit_code(&slurm, &job), "3:0", "{}", log());
    assert!(log().contains("a process was lost"), "{}", log());
    assert!(log().contains("it begins anew"), "{}", log());
    assert!(report().starts_with("open "), "{}", report());
    let job = submit_cluster(&slurm, &found, &[large, "--time", "25s"]);
    assert_eq!(exit_code(&slurm, &job), "3:0", "{}", log());
    assert!(!log().contains("it begins anew"), "{}", log());
    assert!(!log().contains("a process was lost"), "{}", log());
}
