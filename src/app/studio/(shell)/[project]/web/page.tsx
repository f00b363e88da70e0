export { metadata, WebPage as default } from '#studio/web/WebPage'
