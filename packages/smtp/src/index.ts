/** E-mail over SMTP. */
export {}
