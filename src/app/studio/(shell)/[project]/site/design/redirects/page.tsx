export { metadata, RedirectsPage as default } from '#studio/posts/redirects/RedirectsPage'
