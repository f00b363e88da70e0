export { metadata, SitePage as default } from '#studio/posts/site/SitePage'
