//! Levels of detail: additions of a world to the protocol of D1 and D2. All are off by default.
//!
//! A detail that is off costs nothing: no row, no bit, no action. A detail that is on may not
//! change the outline: with it hidden, every run is a run of the world without it.

/// The description of a detail.
#[derive(Clone, Copy, Debug)]
pub struct DetailInfo {
    pub name: &'static str,
    pub adds: &'static str,
    /// The passages that it is about.
    pub source: &'static str,
    /// The names of the details that it requires.
    pub needs: &'static [&'static str],
    /// The names of the details that it cannot be combined with, listed for one of each two.
    pub excludes: &'static [&'static str],
}

/// Makes the details of rows: field, name, addition, passages, the details that it needs, and those
/// that it excludes.
macro_rules! details {
    ($($field:ident $name:literal $adds:literal $source:literal needs [$($needs:literal),*]
        $(excludes [$($excludes:literal),*])?;)+) => {
        /// The details of a world.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Details {
            $(#[doc = $adds] pub $field: bool),+
        }

        impl Details {
            /// Every detail, in order.
            pub const LIST: &'static [DetailInfo] = &[
                $(DetailInfo {
                    name: $name,
                    adds: $adds,
                    source: $source,
                    needs: &[$($needs),*],
                    excludes: &[$($($excludes),*)?],
                }),+
            ];

            /// The names of all details, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Switches a detail on or off; returns whether there is one of this name.
            #[must_use]
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $($name => self.$field = on,)+
                    _ => return false,
                }
                true
            }

            /// The detail of this name with those that it needs; `None` if there is none of this
            /// name.
            pub fn with(name: &str) -> Option<Self> {
                let mut details = Self::default();
                if !details.set(name, true) {
                    return None;
                }
                while let Some((_, need)) = details.lacking() {
                    assert!(details.set(need, true), "{need} is the name of a detail");
                }
                Some(details)
            }

            /// The names of the details that are on.
            pub fn on(&self) -> impl Iterator<Item = &'static str> + use<> {
                [$(($name, self.$field)),+].into_iter().filter(|(_, on)| *on).map(|(name, _)| name)
            }

            /// Whether the one of this name is on.
            pub fn has(&self, name: &str) -> bool {
                self.on().any(|on| on == name)
            }

            /// The subsets of these details that contain all that each member needs and nothing
            /// that one excludes, from none to all.
            pub fn parts(&self) -> Vec<Self> {
                let mut parts = vec![Self::default()];
                for name in self.on() {
                    let with = |part: &Self| {
                        let mut more = *part;
                        assert!(more.set(name, true), "{name} is the name of a detail");
                        more
                    };
                    let more: Vec<Self> = parts.iter().map(with).collect();
                    parts.extend(more);
                }
                parts.retain(|part| part.lacking().is_none() && part.excluded().is_none());
                parts
            }

            /// Whether any is on.
            pub fn any(&self) -> bool {
                self.on().next().is_some()
            }

            /// The first detail that is on without one that it needs, with the name of that one.
            pub fn lacking(&self) -> Option<(&'static DetailInfo, &'static str)> {
                let on: Vec<&str> = self.on().collect();
                let is_on = |info: &&DetailInfo| on.contains(&info.name);
                Self::LIST.iter().filter(is_on).find_map(|info| {
                    let need = info.needs.iter().find(|need| !on.contains(need))?;
                    Some((info, *need))
                })
            }

            /// The first detail that is on beside one that it excludes, with the name of that one.
            pub fn excluded(&self) -> Option<(&'static DetailInfo, &'static str)> {
                let on: Vec<&str> = self.on().collect();
                let is_on = |info: &&DetailInfo| on.contains(&info.name);
                Self::LIST.iter().filter(is_on).find_map(|info| {
                    let other = info.excludes.iter().find(|other| on.contains(other))?;
                    Some((info, *other))
                })
            }
        }
    };
}

details! {
    hooks "hooks"
        "The hooks of a unit by name, from the install hook to the stop hook, with errors and their resolution."
        "D4:9-59; D4:140-189"
        needs [];
    charm "charm"
        "The charm directory and its upgrades, changes of the configuration, and ports."
        "D4:61-92; D4:117-120; D4:137-138; D4:165-177"
        needs ["hooks"];
    relations "relations"
        "Who sees whom in a relation, and the hooks about it: joined, changed, departed and broken."
        "D4:191-246; D4:251-285; D4:300-304; D4:326-341"
        needs ["hooks"];
    settings "settings"
        "The sandbox of a hook: what it reads and writes of settings while it runs."
        "D4:121-136; D4:306-324"
        needs ["hooks", "relations"];
    series "series"
        "The series of applications, units and machines: a unit runs on a machine of its own."
        "D3:13-25"
        needs [];
    provisioning "provisioning"
        "Instances apart from machines: their start and the record of it, strays, failed starts and their resolution."
        "D3:4-7; D3:66-106"
        needs [];
    constraints "constraints"
        "The constraints of the model, applications, units and machines, and the commands that set them."
        "D3:27-64"
        needs [];
    workflow "workflow"
        "The older unit agent: states of a unit and transitions, retries, presence, and lost connections."
        "D5:5-70"
        needs []
        excludes ["hooks", "charm", "relations", "settings"];
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DetailInfo, Details};

    /// Three details, each of which needs those before it.
    #[expect(unreachable_pub, reason = "the macro is made for details that all can see")]
    mod three {
        use super::DetailInfo;

        details! {
            first "first" "The first one." "D4:9" needs [];
            second "second" "The second one." "D4:9" needs ["first"];
            third "third" "The third one." "D4:12" needs ["first", "second"];
            fourth "fourth" "Another one." "D5:5" needs [] excludes ["second"];
        }
    }

    #[test]
    fn a_detail_needs_those_that_its_row_names() {
        let lacking = |on: &[&str]| {
            let mut details = three::Details::default();
            for name in on {
                assert!(details.set(name, true), "{name}");
            }
            assert_eq!(details.on().collect::<Vec<_>>(), on);
            assert_eq!(details.any(), !on.is_empty());
            details.lacking().map(|(info, need)| (info.name, need))
        };
        assert_eq!(lacking(&[]), None);
        assert_eq!(lacking(&["first"]), None);
        assert_eq!(lacking(&["first", "second"]), None);
        assert_eq!(lacking(&["first", "second", "third"]), None);
        assert_eq!(lacking(&["second"]), Some(("second", "first")));
        assert_eq!(lacking(&["second", "third"]), Some(("second", "first")));
        assert_eq!(lacking(&["third"]), Some(("third", "first")));
        assert_eq!(lacking(&["first", "third"]), Some(("third", "second")));
    }

    #[test]
    fn a_detail_excludes_those_that_its_row_names() {
        let excluded = |on: &[&str]| {
            let mut details = three::Details::default();
            for name in on {
                assert!(details.set(name, true), "{name}");
            }
            details.excluded().map(|(info, other)| (info.name, other))
        };
        assert_eq!(excluded(&["first", "second", "third"]), None);
        assert_eq!(excluded(&["first", "fourth"]), None);
        assert_eq!(excluded(&["first", "second", "fourth"]), Some(("fourth", "second")));
    }

    #[test]
    fn a_part_has_what_its_details_need() {
        let mut details = three::Details::default();
        let parts = |details: three::Details| {
            let names = |part: &three::Details| part.on().collect::<Vec<_>>().join(" ");
            details.parts().iter().map(names).collect::<Vec<_>>()
        };
        assert_eq!(parts(details), [""]);
        for name in ["first", "second", "third"] {
            assert!(!details.has(name) && details.set(name, true) && details.has(name));
        }
        assert_eq!(parts(details), ["", "first", "first second", "first second third"]);
        assert!(details.set("second", false));
        assert_eq!(parts(details), ["", "first"]);
        assert!(details.set("second", true) && details.set("third", false));
        assert!(details.set("fourth", true));
        assert_eq!(parts(details), ["", "first", "first second", "fourth", "first fourth"]);
    }

    #[test]
    fn a_detail_comes_with_what_it_needs() {
        let with = |name| three::Details::with(name).map(|it| it.on().collect::<Vec<_>>());
        assert_eq!(with("first"), Some(vec!["first"]));
        assert_eq!(with("third"), Some(vec!["first", "second", "third"]));
        assert_eq!(with("fifth"), None);
    }

    #[test]
    fn a_detail_is_switched_by_its_name() {
        let mut details = three::Details::default();
        assert!(details.set("second", true) && details.second);
        assert!(details.has("second") && !details.has("first"));
        assert!(details.set("second", false) && !details.second);
        assert!(!details.set("fifth", true) && !details.any());
    }

    #[test]
    fn every_need_is_a_detail_of_another_name() {
        let three = (three::Details::LIST, three::Details::NAMES);
        for (list, all) in [(Details::LIST, Details::NAMES), three] {
            let names: BTreeSet<&str> = all.iter().copied().collect();
            assert_eq!(names.len(), list.len(), "no two have one name");
            for (info, name) in list.iter().zip(all) {
                assert_eq!(info.name, *name);
                let is_other = |need: &&str| names.contains(need) && *need != info.name;
                assert!(info.needs.iter().chain(info.excludes).all(is_other), "{name}");
                let both = |need: &&str| info.excludes.contains(need);
                assert!(!info.needs.iter().any(both), "{name} needs what it excludes");
            }
        }
    }
}
