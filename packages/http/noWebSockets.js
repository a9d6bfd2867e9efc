// Stands for the package ws in the build.
export class WebSocketServer {}
export class WebSocket {}
