// Stands for node:module in the build: what asks it for node:http names its own file, which `node -e` has none of.
export const createRequire = () => (name) => process.getBuiltinModule(name)
