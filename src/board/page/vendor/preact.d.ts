// What the page uses of preact 10.29.8; `preact.js` is its dist/preact.module.js as it is published.

export interface VNode { type: unknown; props: any; key: any }
export type Child = VNode | string | number | boolean | null | undefined | Child[];
export function h(type: string, props: Record<string, unknown>, ...children: Child[]): VNode;
export function render(what: Child, place: Element): void;
