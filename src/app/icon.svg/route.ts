export const dynamic = 'force-static'

/** The icon of the studio and of shared pages. A route and not a file, which Next would put on every site as well. */
export const GET = () => new Response(icon, { headers: { 'content-type': 'image/svg+xml' } })

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3b6429"/><path d="M7 12c5.5-4 12.5-4 18 0M7 18c5.5-4 12.5-4 18 0M7 24c5.5-4 12.5-4 18 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`
