/** Whether a host of a URL or a setting is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|\[::1\]|::1|127(?:\.[0-9]{1,3}){3})$/i.test(host)
