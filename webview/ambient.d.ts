/** Style sheets are imported for their effect on the bundle: esbuild gathers them into the panel's css file. */
declare module '*.css';
