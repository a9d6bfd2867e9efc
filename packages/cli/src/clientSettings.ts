/** The environment variables of client commands; loads nothing, as every command looks at them. */

/** Variables of client commands. */
export const clientSettings = [
  { name: "SVC_API_KEY", default: "", secret: true, meaning: "API key of the caller" },
  { name: "SVC_API_KEY_FILE", default: "", secret: false, meaning: "Path of a file that contains the API key" },
  { name: "SVC_BASE_URL", default: "", secret: false, meaning: "URL of the server to talk to" },
  { name: "SVC_PROFILE", default: "", secret: false, meaning: "Name of the profile to use, as saved by svc login" },
  { name: "SVC_PAGER", default: "", secret: false, meaning: "Pager for long tables; PAGER is used without it" },
  {
    name: "SVC_CONFIG",
    default: "./svc.config.js",
    secret: false,
    meaning: "Module with your own commands, resources, hooks and gateway"
  }
]
