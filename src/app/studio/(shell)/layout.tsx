export { ShellLayout as default } from '#studio/shell/ShellLayout'
