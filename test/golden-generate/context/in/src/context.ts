export async function create() {
  return { started: 0 };
}
