export { generateMetadata, ProjectLayout as default } from '#studio/shell/ProjectLayout'
