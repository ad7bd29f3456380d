//! A tab: an open page, its contents, and the complaints about it.

use std::{path::Path, sync::Arc, thread, time::Duration, time::Instant};

use serde_json::{Value, json};

use crate::{
    PATIENCE,
    chromium::Browser,
    devtools::{BrowserEvent, Connection},
};

/// Whether a page may run its scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    On,
    /// Scripts are switched off by the reader.
    Off,
}

/// The colours that a reader prefers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColourScheme {
    /// Dark letters on a light page.
    Light,
    /// Light letters on a dark page.
    Dark,
}

/// What Chromium says of an expression whose page another one has replaced meanwhile.
const REPLACED: [&str; 3] = [
    "Inspected target navigated or closed",
    "Execution context was destroyed",
    "Cannot find default execution context",
];

/// A tab that shares nothing with others: neither storage nor cache.
pub(crate) struct Tab {
    page: Connection,
    browser: Connection,
    context: Value,
    /// The prefix of every address that the page may request.
    home: String,
    complaints: Vec<String>,
    // The browser lives as long as its tabs.
    _shared: Arc<Browser>,
}

impl Tab {
    /// An empty tab.
    pub(crate) fn new(shared: &Arc<Browser>, scripts: Scripts) -> Self {
        let mut browser = shared.connect();
        let context = browser.call("Target.createBrowserContext", &json!({}));
        let context = context["browserContextId"].clone();
        let wanted = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser.call("Target.createTarget", &wanted);
        let mut page = shared.connect_to(target["targetId"].as_str().expect("it has a name"));
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        let off = json!({ "value": scripts == Scripts::Off });
        page.call("Emulation.setScriptExecutionDisabled", &off);
        let (home, complaints) = (String::new(), Vec::new());
        Self { page, browser, context, home, complaints, _shared: Arc::clone(shared) }
    }

    /// Opens a file, and waits until it has loaded.
    pub(crate) fn open_file(&mut self, file: &Path) {
        let address = format!("file://{}", file.display());
        self.open(&address, &address);
    }

    /// Opens a page that may request addresses below `home`, and waits until it has loaded.
    pub(crate) fn open(&mut self, address: &str, home: &str) {
        home.clone_into(&mut self.home);
        let opened = self.page.call("Page.navigate", &json!({ "url": address }));
        assert!(opened.get("errorText").is_none(), "{address}: {opened}");
        self.page.wait_for("Page.loadEventFired");
    }

    /// The value of an expression, in the page.
    pub(crate) fn ask(&mut self, expression: &str) -> Value {
        self.try_ask(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same, or what Chromium says why there is no value.
    fn try_ask(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let mut answer = self.page.try_call("Runtime.evaluate", &asked)?;
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        Ok(answer["result"]["value"].take())
    }

    /// Whether a condition holds in the page: not while another page takes its place.
    fn holds(&mut self, condition: &str) -> bool {
        match self.try_ask(condition) {
            Ok(value) => value == true,
            Err(error) if REPLACED.iter().any(|says| error.contains(says)) => false,
            Err(error) => panic!("{condition}: {error}"),
        }
    }

    /// The string to which the expression evaluates in the page.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.ask(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Waits until the page has loaded and satisfies the condition.
    pub(crate) fn wait_until(&mut self, condition: &str) {
        let begun = Instant::now();
        let whole = format!("document.readyState === 'complete' && ({condition})");
        while !self.holds(&whole) {
            assert!(
                begun.elapsed() < PATIENCE,
                "{condition}: in vain; the page says\n{}",
                self.text("document.body.innerText")
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key, and releases it.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            _ => 0,
        };
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key == "Enter" {
            event["text"] = "\r".into();
        } else if key.chars().count() == 1 {
            event["text"] = key.into();
        }
        self.page.call("Input.dispatchKeyEvent", &event);
        event["type"] = "keyUp".into();
        self.page.call("Input.dispatchKeyEvent", &event);
    }

    /// Shows the page at a width in pixels, in a colour scheme.
    pub(crate) fn show(&mut self, width: u32, colours: ColourScheme) {
        let screen =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        self.page.call("Emulation.setDeviceMetricsOverride", &screen);
        let scheme = match colours {
            ColourScheme::Light => "light",
            ColourScheme::Dark => "dark",
        };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.page.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Sends downloads to a folder.
    pub(crate) fn download_to(&mut self, folder: &Path) {
        let wanted = json!({
            "behavior": "allow", "downloadPath": folder, "browserContextId": self.context,
        });
        self.browser.call("Browser.setDownloadBehavior", &wanted);
    }

    /// The page's accessibility tree: each element with its role and its name.
    pub(crate) fn told(&mut self) -> Vec<Value> {
        let mut tree = self.page.call("Accessibility.getFullAXTree", &json!({}));
        let nodes = tree["nodes"].as_array_mut().map(std::mem::take).unwrap_or_default();
        nodes.into_iter().filter(|node| node["ignored"] != true).collect()
    }

    /// The errors and warnings of the page so far, and its requests to the network.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // All events before the answer to a call arrive before it.
        self.ask("0");
        for event in self.page.events() {
            self.complaints.extend(complaint(&event, &self.home));
        }
        self.complaints.clone()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        // A browser that has ended has no tabs, either.
        let context = json!({ "browserContextId": self.context });
        let _ = self.browser.try_call("Target.disposeBrowserContext", &context);
    }
}

/// The complaint that an event gives reason for, if it does.
fn complaint(event: &BrowserEvent, home: &str) -> Option<String> {
    let params = &event.params;
    match event.method.as_str() {
        "Runtime.exceptionThrown" => Some(params["exceptionDetails"].to_string()),
        "Runtime.consoleAPICalled" => Some(params.to_string()),
        "Log.entryAdded" => Some(params["entry"].to_string()),
        "Network.requestWillBeSent" => {
            let address = params["request"]["url"].as_str().unwrap_or_default();
            (!address.starts_with(home)).then(|| format!("it asks for {address}"))
        }
        _ => None,
    }
}
