//! Every kernel passes naga's validation and is translated for every platform, without capabilities
//! beyond basic WebGPU. Its declaration in Rust matches its WGSL.

use naga::back::{hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, StorageAccess, TypeInner};
use zgram_gpu::kernels::all;
use zgram_gpu::{Access, Kernel};

fn parse(kernel: &Kernel) -> (Module, ModuleInfo) {
    let wgsl = kernel.wgsl();
    let module = naga::front::wgsl::parse_str(&wgsl)
        .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&wgsl)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&wgsl)));
    (module, info)
}

/// Devices find pipelines by name.
#[test]
fn every_kernel_has_a_name_of_its_own() {
    let mut names: Vec<&str> = all().map(|kernel| kernel.name).collect();
    names.sort_unstable();
    let twice: Vec<&[&str]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn kernels_are_translated_for_all_platforms() {
    for kernel in all() {
        let (module, info) = parse(kernel);
        let spirv = spv::write_vec(&module, &info, &spv::Options::default(), None)
            .unwrap_or_else(|error| panic!("{} in SPIR-V: {error}", kernel.name));
        assert_eq!(spirv[0], 0x0723_0203);
        let options = msl::Options { lang_version: (2, 0), ..msl::Options::default() };
        let options = msl::Options { fake_missing_bindings: true, ..options };
        let (metal, _) =
            msl::write_string(&module, &info, &options, &msl::PipelineOptions::default())
                .unwrap_or_else(|error| panic!("{} in MSL: {error}", kernel.name));
        assert!(metal.contains("kernel void"));
        let options = hlsl::Options { fake_missing_bindings: true, ..hlsl::Options::default() };
        let mut text = String::new();
        hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default())
            .write(&module, &info, None)
            .unwrap_or_else(|error| panic!("{} in HLSL: {error}", kernel.name));
        assert!(text.contains("numthreads"));
    }
}

#[test]
fn declarations_say_what_the_files_say() {
    for kernel in all() {
        let (module, _) = parse(kernel);
        let mut params: Vec<String> = Vec::new();
        let mut bindings = vec![None; kernel.bindings.len()];
        for (_, variable) in module.global_variables.iter() {
            match variable.space {
                AddressSpace::Uniform => {
                    let TypeInner::Struct { members, .. } = &module.types[variable.ty].inner else {
                        panic!("{}: parameters are a struct", kernel.name);
                    };
                    params = members.iter().map(|m| m.name.clone().unwrap_or_default()).collect();
                }
                AddressSpace::Storage { access } => {
                    let at = variable.binding.expect("a buffer has a binding").binding as usize;
                    bindings[at - 1] = Some(if access.contains(StorageAccess::STORE) {
                        Access::Write
                    } else {
                        Access::Read
                    });
                }
                _ => {}
            }
        }
        assert_eq!(params, kernel.params, "{}", kernel.name);
        assert!(params.len() <= 16, "{} has too many parameters", kernel.name);
        // WGSL has only these two.
        let in_wgsl = |access: &Access| match access.is_writing() {
            true => Access::Write,
            false => Access::Read,
        };
        let declared: Vec<Option<Access>> = kernel.bindings.iter().map(in_wgsl).map(Some).collect();
        assert_eq!(bindings, declared, "{}", kernel.name);
        assert!(bindings.len() <= 8, "{}: WebGPU promises eight buffers", kernel.name);
        assert_eq!(module.entry_points.len(), 1);
        assert_eq!(module.entry_points[0].workgroup_size, [kernel.workgroup, 1, 1]);
    }
}
