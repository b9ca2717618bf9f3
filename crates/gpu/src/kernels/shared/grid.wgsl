// A dispatch of more than GRID_ROW workgroups has several rows of GRID_ROW workgroups.
const GRID_ROW = 32768u;

fn thread_of(place: vec3<u32>, workgroup: u32) -> u32 {
    return place.y * GRID_ROW * workgroup + place.x;
}

fn workgroup_of(place: vec3<u32>) -> u32 {
    return place.y * GRID_ROW + place.x;
}
