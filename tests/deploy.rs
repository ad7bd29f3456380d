//! The files in deploy/, compared with the published schemas of their formats and with this
//! repository.
//!
//! Kubernetes publishes a schema of each of its kinds. Without `KUBERNETES_SCHEMAS`, which names
//! their file, the tests with schemas are skipped; `.ci/run` downloads them and sets it.

mod program;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use program::program;
use saphyr::{LoadableYamlNode as _, Yaml};
use serde_json::{Map, Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The documents of a file in YAML, as JSON.
fn documents(name: &str) -> Vec<Value> {
    let text = read(name);
    let documents = Yaml::load_from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    documents.iter().map(as_json).collect()
}

/// A value of YAML as JSON. Keys have to be text.
fn as_json(value: &Yaml<'_>) -> Value {
    if let Some(map) = value.as_mapping() {
        let key = |key: &Yaml<'_>| key.as_str().expect("a key is text").to_owned();
        return map
            .iter()
            .map(|(name, value)| (key(name), as_json(value)))
            .collect::<Map<_, _>>()
            .into();
    }
    if let Some(list) = value.as_sequence() {
        return list.iter().map(as_json).collect();
    }
    let integer = value.as_integer().map(Value::from);
    let truth = || value.as_bool().map(Value::from);
    let text = || value.as_str().map(Value::from);
    assert!(!value.is_badvalue(), "{value:?} is no value of YAML");
    integer.or_else(truth).or_else(text).unwrap_or(Value::Null)
}

fn kubernetes(files: &[&str]) -> Vec<Value> {
    files.iter().flat_map(|it| documents(&format!("deploy/kubernetes/{it}.yaml"))).collect()
}

/// The texts at a path of keys, where "*" is each item of a list, or each value of an object.
fn texts<'a>(value: &'a Value, path: &str) -> Vec<&'a str> {
    let mut found = vec![value];
    for key in path.split('.') {
        found = match key {
            "*" => found.iter().flat_map(|it| items(it)).collect(),
            _ => found.iter().filter_map(|it| it.get(key)).collect(),
        };
    }
    found.into_iter().filter_map(Value::as_str).collect()
}

/// The items of a list, or the values of an object.
fn items(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    }
}

/// Asserts that the tool accepts the commands in a text of a shell, and returns their number. Each
/// is given `--help` as its last argument, so it reads its arguments and does nothing.
fn accepted(shell: &str) -> usize {
    let mut commands = 0;
    // A variable is replaced by a number, as it is that of a shard or of a process.
    let variables = ["${{ matrix.shard }}", "$shard", "$JOB_COMPLETION_INDEX"];
    let shell = variables.iter().fold(shell.to_owned(), |text, it| text.replace(it, "1"));
    for rest in shell.split("deathwatch ").skip(1) {
        let rest = rest.split(['|', ';', '&', '\n']).next().unwrap_or_default();
        let words: Vec<&str> = rest.split_whitespace().collect();
        for path in words.iter().filter(|word| word.starts_with("scenarios")) {
            assert!(root().join(path).exists(), "{path} of `{rest}` is there");
        }
        let mut command = Command::new(program());
        let output = command.args(&words).arg("--help").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "deathwatch {rest}: {said}");
        commands += 1;
    }
    commands
}

/// The errors of a Kubernetes document by the schema of its kind.
fn wrong(definitions: &Value, document: &Value) -> Vec<String> {
    let (group, version) = match document["apiVersion"].as_str() {
        Some(version) => version.split_once('/').unwrap_or(("", version)),
        None => return vec!["it has no apiVersion".to_owned()],
    };
    let kind = json!({ "group": group, "kind": document["kind"], "version": version });
    let all = definitions["$defs"].as_object().expect("definitions");
    let is_of_kind = |schema: &Value| {
        let kinds = schema["x-kubernetes-group-version-kind"].as_array();
        kinds.is_some_and(|kinds| kinds.contains(&kind))
    };
    let Some((name, _)) = all.iter().find(|(_, schema)| is_of_kind(schema)) else {
        return vec![format!("there is no {kind}")];
    };
    let schema = json!({ "$ref": format!("#/$defs/{name}"), "$defs": all });
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let said =
        |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
    validator.iter_errors(document).map(said).collect()
}

#[test]
fn the_files_for_kubernetes_have_the_form_that_it_publishes() {
    let Some(file) = std::env::var_os("KUBERNETES_SCHEMAS") else {
        eprintln!("skipped: KUBERNETES_SCHEMAS names no file; .ci/run says where it comes from");
        return;
    };
    let text = fs::read_to_string(PathBuf::from(file)).expect("KUBERNETES_SCHEMAS is a file");
    let definitions: Value = serde_json::from_str(&text).expect("schemas are JSON");
    let files = kubernetes(&["check", "merge", "cluster"]);
    assert_eq!(files.len(), 10, "two volumes, hosts, names, and three jobs with a policy each");
    for document in &files {
        assert_eq!(wrong(&definitions, document), [""; 0], "{document}");
    }
    // Changes that it refuses: an unknown key, a wrong type, an unknown kind.
    for (pointer, bad) in [
        ("/spec/template/spec", json!({ "restartPolicies": "Never", "containers": [] })),
        ("/spec/completions", json!("8")),
        ("/spec/template/spec/containers/0/name", json!(1)),
        ("/spec/podFailurePolicy/rules/1/onExitCodes/values", json!(["2"])),
        ("/kind", json!("Jobs")),
        ("/apiVersion", json!("batch/v0")),
    ] {
        let mut document = files[1].clone();
        *document.pointer_mut(pointer).expect("it is there") = bad;
        assert_ne!(wrong(&definitions, &document), [""; 0], "{pointer}");
    }
}

#[test]
fn the_files_for_kubernetes_fit_together_and_to_the_tool() {
    let files = kubernetes(&["check", "merge"]);
    let claims: BTreeSet<&str> = files
        .iter()
        .filter(|it| it["kind"] == "PersistentVolumeClaim")
        .flat_map(|it| texts(it, "metadata.name"))
        .collect();
    assert_eq!(claims.len(), 1);
    let mut commands = 0;
    for job in files.iter().filter(|it| it["kind"] == "Job") {
        let pod = &job["spec"]["template"]["spec"];
        let claimed = texts(pod, "volumes.*.persistentVolumeClaim.claimName");
        assert_eq!(claimed.into_iter().collect::<BTreeSet<_>>(), claims);
        let volumes: BTreeSet<&str> = texts(pod, "volumes.*.name").into_iter().collect();
        let mounted = texts(pod, "containers.*.volumeMounts.*.name").into_iter().collect();
        assert_eq!(volumes, mounted);
        let containers: BTreeSet<&str> = texts(pod, "containers.*.name").into_iter().collect();
        for named in texts(job, "spec.podFailurePolicy.rules.*.onExitCodes.containerName") {
            assert!(containers.contains(named), "{named} is a container");
        }
        for mount in texts(pod, "containers.*.volumeMounts.*.mountPath") {
            let args = texts(pod, "containers.*.args.*").concat();
            assert!(args.contains(&format!("{mount}/")), "{mount} is where journals go");
        }
        commands += texts(pod, "containers.*.args.*").into_iter().map(accepted).sum::<usize>();
    }
    assert_eq!(commands, 2, "a shard and the merge");
    // The number of shards is the number of pods.
    let check = files.iter().find(|it| it["metadata"]["name"] == "deathwatch-check").expect("it");
    let args = texts(check, "spec.template.spec.containers.*.args.*").concat();
    assert!(args.contains(&format!("--shard $shard/{} ", check["spec"]["completions"])), "{args}");
}

#[test]
fn the_pods_of_a_cluster_find_each_other() {
    let [volume, hosts, headless, job, policy] = &kubernetes(&["cluster"])[..] else {
        panic!("five documents")
    };
    let (spec, pod) = (&job["spec"], &job["spec"]["template"]["spec"]);
    // The names that Kubernetes gives the pods of such a job: the job, the index and their domain.
    let (name, port) = (&job["metadata"]["name"], &headless["spec"]["ports"][0]["port"]);
    let (name, domain) = (name.as_str().expect("a name"), &headless["metadata"]["name"]);
    assert_eq!((&spec["completionMode"], &pod["subdomain"]), (&json!("Indexed"), domain));
    assert_eq!(headless["spec"]["clusterIP"], "None", "it has a name for each pod");
    assert_eq!(headless["spec"]["selector"], json!({ "batch.kubernetes.io/job-name": name }));
    assert_eq!(spec["completions"], spec["parallelism"], "all run at the same time");
    let domain = domain.as_str().expect("a name");
    let pods = 0..spec["completions"].as_u64().expect("a number");
    let lines: Vec<String> = pods.map(|it| format!("{name}-{it}.{domain}:{port}\n")).collect();
    let lines = lines.concat();
    assert_eq!(hosts["data"], json!({ "hosts": lines }));
    // They may talk to each other, at the port in the file of hosts.
    for way in ["ingress", "egress"] {
        assert_eq!(policy["spec"][way][0]["ports"][0]["port"], *port, "{way}");
    }
    // Every file that the process reads is mounted, and made by this file or by the command at its
    // top.
    let args = texts(pod, "containers.*.args.*").concat();
    assert_eq!(accepted(&args), 1, "{args}");
    let [container] = pod["containers"].as_array().map_or(&[][..], Vec::as_slice) else {
        panic!("one container")
    };
    let mounts = container["volumeMounts"].as_array().expect("a list");
    let volumes = pod["volumes"].as_array().expect("a list");
    assert_eq!((mounts.len(), volumes.len()), (3, 3));
    for (mount, volume) in mounts.iter().zip(volumes) {
        assert_eq!(mount["name"], volume["name"]);
    }
    assert_eq!(volumes[0]["configMap"]["name"], hosts["metadata"]["name"]);
    let secret = volumes[1]["secret"]["secretName"].as_str().expect("a name");
    let made = format!("kubectl create secret generic {secret} --from-literal=secret=");
    assert!(read("deploy/kubernetes/cluster.yaml").contains(&made), "{made}");
    for (mount, flag, key) in [(0, "cluster", "hosts"), (1, "secret", "secret")] {
        let path = mounts[mount]["mountPath"].as_str().expect("a path");
        assert!(args.contains(&format!("--{flag} {path}/{key}")), "{args}");
    }
    let claim = &volumes[2]["persistentVolumeClaim"]["claimName"];
    assert_eq!(
        (claim, &volume["kind"]),
        (&volume["metadata"]["name"], &json!("PersistentVolumeClaim"))
    );
    let folder = mounts[2]["mountPath"].as_str().expect("a path");
    assert!(args.contains(&format!("--checkpoint {folder} --resume")), "{args}");
    // Only the checkpoints are writable, and no container runs as root.
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    assert_eq!(container["securityContext"]["readOnlyRootFilesystem"], true);
    assert!(mounts[..2].iter().all(|mount| mount["readOnly"] == true));
}

/// The requirements of the level "restricted" of Kubernetes on a pod, and more.
#[test]
fn pods_may_no_more_than_they_need() {
    let files = kubernetes(&["check", "merge", "cluster"]);
    let of_kind = |kind: &'static str| files.iter().filter(move |it| it["kind"] == kind);
    assert_eq!(of_kind("Job").count(), 3);
    for job in of_kind("Job") {
        let (name, pod) = (&job["metadata"]["name"], &job["spec"]["template"]["spec"]);
        assert_eq!(pod["automountServiceAccountToken"], false, "{name}");
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{name}");
        assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault", "{name}");
        for container in pod["containers"].as_array().expect("a list") {
            let context = &container["securityContext"];
            assert_eq!(context["allowPrivilegeEscalation"], false, "{name}");
            assert_eq!(context["readOnlyRootFilesystem"], true, "{name}");
            assert_eq!(context["capabilities"], json!({ "drop": ["ALL"] }), "{name}");
        }
        let selects = json!({ "matchLabels": { "batch.kubernetes.io/job-name": name } });
        let mut policies = of_kind("NetworkPolicy");
        let policy = policies.find(|it| it["spec"]["podSelector"] == selects);
        let policy = policy.unwrap_or_else(|| panic!("{name} has a policy"));
        assert_eq!(policy["spec"]["policyTypes"], json!(["Ingress", "Egress"]), "{name}");
    }
}

#[test]
fn the_recipe_of_the_container_copies_what_is_built_and_runs_what_is_copied() {
    let recipe = read("deploy/Containerfile");
    let lines: Vec<(&str, &str)> = recipe
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(' ').expect("a word and the rest"))
        .collect();
    let all =
        |word: &'static str| lines.iter().filter(move |(it, _)| *it == word).map(|(_, rest)| *rest);
    assert_eq!(all("FROM").filter(|it| it.ends_with(" AS build")).count(), 1);
    assert!(all("RUN").any(|it| it == "cargo build --release --locked"));
    let binary = Path::new(env!("CARGO_BIN_EXE_deathwatch")).file_name().expect("it has a name");
    for copied in all("COPY").filter_map(|it| it.strip_prefix("--from=build /src/")) {
        let (from, _) = copied.split_once(' ').expect("from, and to");
        let is_built = Path::new("target/release").join(binary) == Path::new(from);
        assert!(is_built || root().join(from).exists(), "{from} is built, or is there");
    }
    let words = |word: &'static str| -> Vec<String> {
        let line = all(word).next().unwrap_or_else(|| panic!("there is a line {word}"));
        serde_json::from_str(line).expect("a list of words")
    };
    let command = [words("ENTRYPOINT"), words("CMD")].concat().join(" ");
    assert_eq!(accepted(&command), 1, "{command}");
}

/// The workflows, and the number of commands of the tool in each.
const WORKFLOWS: [(&str, usize); 5] = [
    ("deploy/github/pull-request.yml", 3),
    ("deploy/github/release.yml", 0),
    ("deploy/github/scenarios.yml", 3),
    ("deploy/github/seeds.yml", 3),
    (".github/workflows/ci.yml", 0),
];

#[test]
fn the_workflows_for_github_call_what_is_there() {
    for (name, expected) in WORKFLOWS {
        let workflow = documents(name).remove(0);
        assert!(workflow.get("permissions").is_some(), "{name} says what it may do");
        let jobs = workflow["jobs"].as_object().expect("jobs");
        let mut commands = 0;
        for (job_name, job) in jobs {
            assert!(job["timeout-minutes"].is_number(), "{name}: {job_name} ends at some time");
            for needed in texts(job, "needs") {
                assert!(jobs.contains_key(needed), "{job_name} needs {needed}");
            }
            for step in job["steps"].as_array().expect("steps") {
                let is_clone = step["uses"].as_str().is_some_and(|it| it.contains("/checkout@"));
                let leaves_none = step["with"]["persist-credentials"] == false;
                assert!(
                    !is_clone || leaves_none,
                    "{name}: {job_name} leaves no token in its clone"
                );
                assert!(step.get("uses").is_some() != step.get("run").is_some(), "{step}");
                commands += texts(step, "run").into_iter().map(accepted).sum::<usize>();
            }
        }
        assert_eq!(commands, expected, "{name}");
        // Each job downloads files that another one uploads.
        let up = texts(&workflow, "jobs.*.steps.*.with.name");
        for down in texts(&workflow, "jobs.*.steps.*.with.pattern") {
            let prefix = down.strip_suffix('*').expect("a pattern");
            assert!(up.iter().any(|it| it.starts_with(prefix)), "{up:?} and {down:?}");
        }
    }
    // This repository's own workflow runs all checks by one script.
    let own = documents(".github/workflows/ci.yml").remove(0);
    assert!(texts(&own, "jobs.run.steps.*.run").iter().any(|it| it.ends_with("bash .ci/run")));
    let release = documents("deploy/github/release.yml").remove(0);
    assert_eq!(release["permissions"], json!({ "contents": "read" }));
    let publishes = &release["jobs"]["publish"];
    assert_eq!(publishes["permissions"]["contents"], "write");
    let builds = texts(publishes, "steps.*.run").concat();
    assert!(!builds.contains("cargo"), "what may write builds nothing: {builds}");
    // The downloaded archive is one of a release, and its checksum is verified before it is
    // unpacked.
    let taken = documents("deploy/github/scenarios.yml").remove(0);
    let archive = taken["env"]["ARCHIVE"].as_str().expect("a name");
    let target = archive.strip_prefix("deathwatch-").and_then(|it| it.strip_suffix(".tar.gz"));
    let built = texts(&release, "jobs.binary.strategy.matrix.include.*.target");
    assert!(target.is_some_and(|target| built.contains(&target)), "{archive}: {built:?}");
    let runs = texts(&taken, "jobs.check.steps.*.run").concat();
    let place = |what: &str| runs.find(what).unwrap_or_else(|| panic!("{what}: {runs}"));
    assert!(place("sha256sum --check --strict") < place("tar -xzf"));
    assert!(place("tar -xzf") < place("deathwatch check"));
    let seeds = documents("deploy/github/seeds.yml").remove(0);
    // The number of shards is that of the matrix.
    let shards = seeds["jobs"]["shard"]["strategy"]["matrix"]["shard"].as_array();
    let numbers: Vec<Value> = (1..=8).map(Value::from).collect();
    assert_eq!(shards, Some(&numbers));
    assert!(read("deploy/github/seeds.yml").contains("--shard ${{ matrix.shard }}/8 "));
}

/// The file that `WORKFLOW_SCHEMA` names has GitHub's schema.
#[test]
fn the_workflows_for_github_have_their_form() {
    let Some(path) = std::env::var_os("WORKFLOW_SCHEMA") else {
        eprintln!("skipped: WORKFLOW_SCHEMA does not say where the schema of workflows is");
        return;
    };
    let schema = fs::read_to_string(path).expect("it is there");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (name, _) in WORKFLOWS {
        let workflow = documents(name).remove(0);
        let errors: Vec<String> =
            validator.iter_errors(&workflow).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{name}");
        let mut wrong = workflow;
        wrong["jobs"]["steps"] = json!([]);
        assert!(!validator.is_valid(&wrong), "what is wrong is noticed");
    }
}

/// The test of these tests: a command that the tool refuses is noticed, and so is a missing path.
#[test]
fn a_command_that_there_is_not_is_noticed() {
    for bad in [
        "deathwatch chek scenarios",
        "deathwatch check scenarios --shard 9/8",
        "deathwatch merge --shard 1/8",
        "deathwatch check scenarios/of-nobody",
    ] {
        assert!(std::panic::catch_unwind(|| accepted(bad)).is_err(), "{bad}");
    }
    let good = "echo deathwatch; deathwatch check scenarios || case $? in 1) ;; esac";
    assert_eq!(accepted(good), 1);
}
