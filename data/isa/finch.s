; SPDX-License-Identifier: Apache-2.0
;
; The Mandelbrot set on a Finch of generation 2: a thread for a pixel, a byte for a pixel. docs/isa-tutorial.md takes it there
; and back.
;
;   c0 width            c2 the picture       c4 left edge         c6 size of a pixel
;   c1 height           c3 two counters      c5 upper edge        c7 most steps

main:
        get r0, %tid.x
        get r1, %tid.y
        icmp.from p1, r0, c0            ; the grid may be larger than the picture
        icmp.from p2, r1, c1
        por p1, p1, p2
(p1)    exit

        cvt.f32.u32 r2, r0              ; c = left + x * size, upper + y * size
        cvt.f32.u32 r3, r1
        mov r4, c4
        mov r5, c5
        fmac r4, r2, c6
        fmac r5, r3, c6
        call escape

        mad r9, r1, c0, r0              ; the place of the pixel
        mul r10, r8, 0x9e3779b1         ; neighbours shall differ: mix the number of steps
        shr r10, r10, #24
        icmp.from p1, r8, c7            ; black inside
        mov r11, #0
        sel r10, p1, r11, r10
        st.global.u8 [c2 + r9*1], r10

        ; How many are inside? One of a group counts, if all are.
        vote.all p2, p1
        get r12, %lane
        icmp.ne p3, r12, #0
        por p3, p3, !p2
(p3)    br done
        mov r13, #1
        mov r14, c3
        atom.add.global r15, [r14+4], r13
done:
        bar #0
        exit

; How often z = z * z + c can be done before z leaves the circle of 2, at most c7 times.
; c in r4 and r5, the number in r8; uses r6, r7, r16 to r18 and p1.
escape:
        mov r6, #0
        mov r7, #0
        mov r8, #0
step:
        fmul r16, r6, r6
        fmul r17, r7, r7
        fadd r18, r16, r17
        fcmp.gt p1, r18, #4.0
(p1)    br away
        fmul r7, r6                     ; y = 2 * x * y + cy
        fma r7, r7, #2.0, r5
        fadd r6, r16, -r17              ; x = x * x - y * y + cx
        fadd r6, r4
        add r8, #1
        icmp.below p1, r8, c7
(p1)    br step
away:
        ret
