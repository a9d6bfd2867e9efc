/** What happened and what is planned. */
export const Overview = () => <main class="overview" aria-label="Overview" />
